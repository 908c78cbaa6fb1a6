import type { Algorithm, Quota } from './algorithm.ts';

/** The accepted requests of the clock-aligned window that began at `start` (milliseconds), and of the window before. */
export interface Counter {
  readonly start: number;
  readonly previous: number;
  readonly current: number;
}

/** Tolerance for rounding errors, far below one request. */
const TOLERANCE = 1e-9;

/**
 * Estimates a sliding window from two counters: the previous one is weighted by
 * the part of its window that overlaps the sliding one. Resets at the end of the
 * current window, when the weight of its requests begins to fall.
 */
export const slidingCounter: Algorithm<Counter> = {
  most: (limit, windows) => limit * (1 + windows),
  check: (state, quota, now) => {
    const { start, previous, current } = rollTo(now, quota, state);
    const weight = 1 - (now - start) / quota.windowMs;
    const left = quota.limit - previous * weight - current + TOLERANCE;
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

/** The counters of the window that contains `now`. */
function rollTo(now: number, quota: Quota, state: Counter | undefined): Counter {
  const start = now - (now % quota.windowMs);
  if (state?.start === start) return state;
  const follows = state !== undefined && state.start + quota.windowMs === start;
  return { start, previous: follows ? state.current : 0, current: 0 };
}

/** The first whole millisecond at which the estimate allows one more request. */
function firstFree(counter: Counter, quota: Quota): number {
  const { start, previous, current } = counter;
  const available = quota.limit - 1 - current;
  const [from, weighted, allowed] =
    available >= 0 ? [start, previous, available] : [start + quota.windowMs, current, quota.limit - 1];
  return from + Math.ceil((quota.windowMs * (weighted - allowed)) / weighted);
}
