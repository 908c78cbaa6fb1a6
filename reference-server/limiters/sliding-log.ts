import type { Algorithm } from './algorithm.ts';

/** The arrival times of the requests accepted in the last window, oldest first. */
export type Log = readonly number[];

/**
 * Remembers the time of every accepted request, and accepts at most the limit in
 * any span of one window. Resets when the oldest request leaves the window, which
 * makes one request available. Memory for one caller: as many numbers as the limit.
 */
export const slidingLog: Algorithm<Log> = {
  most: (limit, windows) => limit * (Math.floor(windows) + 1),
  check: (state, quota, now) => {
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
