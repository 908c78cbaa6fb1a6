import type { Algorithm } from './algorithm.ts';

/**
 * How far the theoretical arrival time lay `ahead` (milliseconds) of the moment
 * `at`. Kept as a difference: a fraction added to an epoch time would be
 * rounded, and a thousand roundings of a small interval let requests through.
 */
export interface Arrival {
  readonly at: number;
  readonly ahead: number;
}

/** Room, in milliseconds, for the noise of adding fractions. */
const NOISE = 1e-6;

/**
 * The generic cell rate algorithm: each request moves the theoretical arrival
 * time on by one interval (window / limit), and is refused where that would lie
 * more than one window ahead. Accepts at most limit · (1 + T / window) in any
 * time T. Resets when the theoretical arrival time is reached.
 */
export const gcra: Algorithm<Arrival> = {
  name: 'gcra',
  check(state, quota, now) {
    const interval = quota.windowMs / quota.limit;
    const behind = state === undefined ? 0 : Math.max(0, state.ahead - (now - state.at));
    const over = behind + interval - quota.windowMs;
    const allowed = over <= NOISE;
    const ahead = allowed ? behind + interval : behind;
    const arrivalAt = now + Math.ceil(ahead - NOISE);
    return {
      allowed,
      remaining: Math.max(0, Math.floor((quota.windowMs - ahead + NOISE) / interval)),
      resetAt: arrivalAt,
      retryAt: allowed ? now : now + Math.ceil(over - NOISE / 2),
      state: { at: now, ahead },
      idleAt: arrivalAt,
    };
  },
};
