import type { Decision } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';

/**
 * Blocks a key that was rate-limited; every further request restarts the block.
 * `lengthMs` gives its length in milliseconds, from the length of the window in
 * milliseconds and the number of rate-limited requests in a row, this one included.
 */
export function blocking(lengthMs: (windowMs: number, inARow: number) => number): Seams {
  return {
    wrapLimiter(limiter, { plans }) {
      const blocks = new Map<string, { readonly inARow: number; readonly decision: Decision }>();
      return {
        consume(caller, request, now) {
          const block = blocks.get(caller.id);
          const blocked = block !== undefined && now < block.decision.retryAt;
          const decision = blocked ? block.decision : limiter.consume(caller, request, now);
          if (decision.allowed || !caller.authenticated) {
            blocks.delete(caller.id);
            return decision;
          }
          const inARow = blocked ? block.inARow + 1 : 1;
          const until = Math.max(
            decision.retryAt,
            now + lengthMs(Math.round(plans.minuteSeconds * 1000), inARow),
          );
          const longer = { ...decision, resetAt: until, retryAt: until };
          blocks.set(caller.id, { inARow, decision: longer });
          return longer;
        },
      };
    },
  };
}
