import type { Algorithm } from './algorithm.ts';

/** The tokens in the bucket, fractions included, at the time `at` (milliseconds since the Unix epoch). */
export interface Bucket {
  readonly at: number;
  readonly tokens: number;
}

/** Tolerance for rounding errors, far below one token. */
const TOLERANCE = 1e-6;

/** A bucket that holds as many tokens as the limit and is refilled evenly over one window. Resets when it is full. */
export const tokenBucket: Algorithm<Bucket> = {
  most: (limit, windows) => limit * (1 + windows),
  check: (state, quota, now) => {
    const msPerToken = quota.windowMs / quota.limit;
    const filled =
      state === undefined ? quota.limit : state.tokens + Math.max(0, now - state.at) / msPerToken;
    const available = Math.min(quota.limit, filled);
    const allowed = available >= 1 - TOLERANCE;
    const tokens = allowed ? Math.max(0, available - 1) : available;
    const fullAt = now + Math.ceil(((quota.limit - tokens) * quota.windowMs) / quota.limit);
    return {
      allowed,
      remaining: Math.floor(tokens + TOLERANCE),
      resetAt: fullAt,
      retryAt: allowed ? now : now + Math.ceil((1 - tokens - TOLERANCE / 2) * msPerToken),
      state: { at: now, tokens },
      idleAt: fullAt,
    };
  },
};
