import type { Decision, Limiter } from './limiter.ts';

/**
 * "A client that keeps sending requests after receiving 429 may have its API
 * key temporarily banned": banned for `seconds` when it has sent `after`
 * further requests that were rate-limited.
 */
export interface BanPolicy {
  readonly after: number;
  readonly seconds: number;
}

interface RateLimitedKey {
  /** The rate-limited requests since the last accepted one, without the first of them. */
  readonly further: number;
  /** Milliseconds since the Unix epoch; 0 while there is no ban. */
  readonly bannedUntil: number;
  /** The limiter's decision about the last of them. */
  readonly decision: Decision;
}

/**
 * A limiter that bans keys by this policy. A banned key gets 429 with a
 * Retry-After until the end of the ban; unauthenticated callers are not banned.
 */
export function withBan(limiter: Limiter, policy: BanPolicy): Limiter {
  const rateLimited = new Map<string, RateLimitedKey>();
  return (caller, request, now) => {
    const before = rateLimited.get(caller.id);
    if (before !== undefined && now < before.bannedUntil) return untilBanEnds(before);
    const decision = limiter(caller, request, now);
    if (decision.allowed || !caller.authenticated) {
      rateLimited.delete(caller.id);
      return decision;
    }
    const banEnded = before !== undefined && before.bannedUntil > 0;
    const further = before === undefined || banEnded ? 0 : before.further + 1;
    const bannedUntil = further >= policy.after ? now + policy.seconds * 1000 : 0;
    const current = { further, bannedUntil, decision };
    rateLimited.set(caller.id, current);
    return untilBanEnds(current);
  };
}

function untilBanEnds({ decision, bannedUntil }: RateLimitedKey): Decision {
  return {
    ...decision,
    resetAt: Math.max(decision.resetAt, bannedUntil),
    retryAt: Math.max(decision.retryAt, bannedUntil),
  };
}
