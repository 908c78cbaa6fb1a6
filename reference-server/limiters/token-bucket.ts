import type { Algorithm } from './algorithm.ts';

/** The tokens in the bucket, fractions included, at the moment `at` (milliseconds since the Unix epoch). */
export interface Bucket {
  readonly at: number;
  readonly tokens: number;
}

/** Room for the noise of adding fractions; far below one token. */
const NOISE = 1e-6;

/**
 * A bucket as large as the limit, filled evenly over one window. Accepts at
 * most limit · (1 + T / window) in any time T. Resets when the bucket is full.
 */
export const tokenBucket: Algorithm<Bucket> = {
  name: 'token-bucket',
  check(state, quota, now) {
    const msPerToken = quota.windowMs / quota.limit;
    const filled = state === undefined ? quota.limit : state.tokens + (now - state.at) / msPerToken;
    const available = Math.min(quota.limit, filled);
    const allowed = available >= 1 - NOISE;
    const tokens = allowed ? Math.max(0, available - 1) : available;
    const fullAt = now + Math.ceil(((quota.limit - tokens) * quota.windowMs) / quota.limit);
    return {
      allowed,
      remaining: Math.floor(tokens + NOISE),
      resetAt: fullAt,
      retryAt: allowed ? now : now + Math.ceil((1 - tokens - NOISE / 2) * msPerToken),
      state: { at: now, tokens },
      idleAt: fullAt,
    };
  },
};
