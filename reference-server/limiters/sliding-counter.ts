import type { Algorithm, Quota } from './algorithm.ts';

/** The accepted requests of the clock-aligned window that began at `start` (milliseconds), and of the one before. */
export interface Counter {
  readonly start: number;
  readonly previous: number;
  readonly current: number;
}

/** Room for the noise of adding fractions; far below one request. */
const NOISE = 1e-9;

/**
 * Estimates a sliding window from two counters: the previous one weighs as much
 * as of it still lies within the last window. Accepts at most
 * limit · (1 + T / window) in any time T. Resets at the end of the current
 * window, when the estimate begins to forget it.
 */
export const slidingCounter: Algorithm<Counter> = {
  name: 'sliding-counter',
  check(state, quota, now) {
    const { start, previous, current } = rollTo(now, quota, state);
    const weight = 1 - (now - start) / quota.windowMs;
    const left = quota.limit - previous * weight - current + NOISE;
    const allowed = left >= 1;
    const accepted = { start, previous, current: allowed ? current + 1 : current };
    return {
      allowed,
      remaining: Math.max(0, Math.floor(allowed ? left - 1 : left)),
      resetAt: start + quota.windowMs,
      retryAt: allowed ? now : firstFree(accepted, quota),
      state: accepted,
      idleAt: start + 2 * quota.windowMs,
    };
  },
};

/** The counters as they stand in the window that holds `now`. */
function rollTo(now: number, quota: Quota, state: Counter | undefined): Counter {
  const start = now - (now % quota.windowMs);
  if (state?.start === start) return state;
  const follows = state !== undefined && state.start + quota.windowMs === start;
  return { start, previous: follows ? state.current : 0, current: 0 };
}

/** The first whole millisecond at which the estimate leaves room for one request. */
function firstFree(counter: Counter, quota: Quota): number {
  const { start, previous, current } = counter;
  const room = quota.limit - 1 - current;
  const [from, weighed, free] =
    room >= 0 ? [start, previous, room] : [start + quota.windowMs, current, quota.limit - 1];
  return from + Math.ceil((quota.windowMs * (weighed - free)) / weighed);
}
