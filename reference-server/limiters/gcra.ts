import type { Algorithm } from './algorithm.ts';

/**
 * At the time `at`, the theoretical arrival time was `ahead` milliseconds later.
 * Kept as a difference: a fraction added to an epoch time is rounded, and a
 * thousand roundings of a small interval add up to extra requests.
 */
export interface Arrival {
  readonly at: number;
  readonly ahead: number;
}

/** Tolerance for rounding errors, in milliseconds. */
const TOLERANCE = 1e-6;

/**
 * The generic cell rate algorithm: each request moves the theoretical arrival
 * time on by one interval (window / limit), and is accepted unless that time
 * would then be more than one window ahead. Resets when the theoretical arrival time is reached.
 */
export const gcra: Algorithm<Arrival> = {
  most: (limit, windows) => limit * (1 + windows),
  check: (state, quota, now) => {
    const interval = quota.windowMs / quota.limit;
    const behind = state === undefined ? 0 : Math.max(0, state.ahead - (now - state.at));
    const over = behind + interval - quota.windowMs;
    const allowed = over <= TOLERANCE;
    const ahead = allowed ? behind + interval : behind;
    const arrivalAt = now + Math.ceil(ahead - TOLERANCE);
    return {
      allowed,
      remaining: Math.max(0, Math.floor((quota.windowMs - ahead + TOLERANCE) / interval)),
      resetAt: arrivalAt,
      retryAt: allowed ? now : now + Math.ceil(over - TOLERANCE / 2),
      state: { at: now, ahead },
      idleAt: arrivalAt,
    };
  },
};
