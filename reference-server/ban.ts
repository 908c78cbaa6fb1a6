import type { Decision, Limiter } from './limiter.ts';

/**
 * "A client that keeps sending requests after receiving 429 may have its API
 * key temporarily banned": banned for `seconds` once it has sent `after`
 * further requests while it was refused.
 */
export interface BanPolicy {
  readonly after: number;
  readonly seconds: number;
}

interface Block {
  /** The refusals since the last accepted request, the first one not counted. */
  readonly further: number;
  /** Milliseconds since the Unix epoch; 0 while there is no ban. */
  readonly bannedUntil: number;
  readonly refusal: Decision;
}

/**
 * A limiter that bans keys by this policy. A banned key gets 429 with a
 * truthful Retry-After until the ban ends; strangers have no key to ban.
 */
export function withBan(limiter: Limiter, policy: BanPolicy): Limiter {
  const blocks = new Map<string, Block>();
  return {
    spend(caller, request, now) {
      const block = blocks.get(caller.id);
      if (block !== undefined && now < block.bannedUntil) return extended(block);
      const decision = limiter.spend(caller, request, now);
      if (decision.allowed || !caller.known) {
        blocks.delete(caller.id);
        return decision;
      }
      const served = block !== undefined && block.bannedUntil > 0;
      const further = block === undefined || served ? 0 : block.further + 1;
      const bannedUntil = further >= policy.after ? now + policy.seconds * 1000 : 0;
      const next = { further, bannedUntil, refusal: decision };
      blocks.set(caller.id, next);
      return extended(next);
    },
  };
}

function extended({ refusal, bannedUntil }: Block): Decision {
  return {
    ...refusal,
    resetAt: Math.max(refusal.resetAt, bannedUntil),
    retryAt: Math.max(refusal.retryAt, bannedUntil),
  };
}
