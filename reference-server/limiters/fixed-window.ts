import type { Algorithm } from './algorithm.ts';
import type { Window } from './fixed-window-from-first.ts';
import { countInWindow } from './fixed-window-from-first.ts';

/**
 * Windows aligned to the clock: all callers start afresh at the same moment.
 * Accepts up to twice the limit around an edge. Resets at the window's end.
 */
export const fixedWindow: Algorithm<Window> = {
  name: 'fixed-window',
  check(state, quota, now) {
    const start = now - (now % quota.windowMs);
    return countInWindow(state?.start === start ? state : { start, count: 0 }, quota, now);
  },
};
