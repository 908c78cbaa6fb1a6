import type { Decision } from '../../reference-server/limiter.ts';
import type { Seams } from '../../reference-server/seams.ts';

/**
 * Blocks a key that was refused, anew with every refused request: for as many
 * milliseconds as `lengthMs` says of the window's length and of the refusals in
 * a row, this one counted.
 */
export function blocking(lengthMs: (windowMs: number, refusals: number) => number): Seams {
  return {
    wrapLimiter(limiter, { plans }) {
      const blocks = new Map<string, { readonly refusals: number; readonly decision: Decision }>();
      return {
        spend(caller, request, now) {
          const block = blocks.get(caller.id);
          const blocked = block !== undefined && now < block.decision.retryAt;
          const decision = blocked ? block.decision : limiter.spend(caller, request, now);
          if (decision.allowed || !caller.known) {
            blocks.delete(caller.id);
            return decision;
          }
          const refusals = blocked ? block.refusals + 1 : 1;
          const until = Math.max(
            decision.retryAt,
            now + lengthMs(Math.round(plans.minuteSeconds * 1000), refusals),
          );
          const longer = { ...decision, resetAt: until, retryAt: until };
          blocks.set(caller.id, { refusals, decision: longer });
          return longer;
        },
      };
    },
  };
}
