import type { Algorithm, Check, Quota } from './algorithm.ts';

/** A window that began at `start` (milliseconds since the Unix epoch), and the requests accepted in it. */
interface Window {
  readonly start: number;
  readonly count: number;
}

/**
 * A window begins with the caller's first request and lasts for its full length.
 * Resets at its end.
 */
export const fixedWindowFromFirst: Algorithm<Window> = {
  most: (limit, windows) => limit * (Math.floor(windows) + 2) - 1,
  check: (state, quota, now) => {
    const open = state !== undefined && now < state.start + quota.windowMs;
    return countInWindow(open ? state : { start: now, count: 0 }, quota, now);
  },
};

/**
 * Windows aligned to the clock: a new window begins at the same time for all
 * callers. Resets at the end of the window.
 */
export const fixedWindow: Algorithm<Window> = {
  most: (limit, windows) => limit * (Math.ceil(windows) + 1),
  check: (state, quota, now) => {
    const start = now - (now % quota.windowMs);
    return countInWindow(state?.start === start ? state : { start, count: 0 }, quota, now);
  },
};

/** Counts one request in the current window. */
function countInWindow(window: Window, quota: Quota, now: number): Check<Window> {
  const end = window.start + quota.windowMs;
  const allowed = window.count < quota.limit;
  const count = allowed ? window.count + 1 : window.count;
  return {
    allowed,
    remaining: Math.max(0, quota.limit - count),
    resetAt: end,
    retryAt: allowed ? now : end,
    state: { start: window.start, count },
    idleAt: end,
  };
}
