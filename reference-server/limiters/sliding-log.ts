import type { Algorithm } from './algorithm.ts';

/** When each accepted request of the last window came, oldest first. */
export type Log = readonly number[];

/**
 * Remembers the time of every accepted request: never more than the limit in
 * any window whatever its place. Resets when the oldest leaves, and with it one
 * request is free again. Memory for one caller: as many numbers as the limit.
 */
export const slidingLog: Algorithm<Log> = {
  name: 'sliding-log',
  check(state, quota, now) {
    const live = (state ?? []).filter((at) => at > now - quota.windowMs);
    const allowed = live.length < quota.limit;
    if (allowed) live.push(now);
    const freeAt = (live[0] ?? now) + quota.windowMs;
    return {
      allowed,
      remaining: quota.limit - live.length,
      resetAt: freeAt,
      retryAt: allowed ? now : freeAt,
      state: live,
      idleAt: (live.at(-1) ?? now) + quota.windowMs,
    };
  },
};
