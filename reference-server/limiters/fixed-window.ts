import type { Algorithm } from './algorithm.ts';
import type { Window } from './fixed-window-from-first.ts';
import { countInWindow } from './fixed-window-from-first.ts';

/**
 * Windows aligned to the clock: a new window begins at the same time for all
 * callers. Accepts up to twice the limit around the end of a window, where
 * requests come close together. Resets at the end of the window.
 */
export const fixedWindow: Algorithm<Window> = {
  check(state, quota, now) {
    const start = now - (now % quota.windowMs);
    return countInWindow(state?.start === start ? state : { start, count: 0 }, quota, now);
  },
};
