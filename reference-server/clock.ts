/** Where the service reads the time. Tests inject their own. */
export interface Clock {
  /** Milliseconds since the Unix epoch. Must never go back. */
  now(): number;
}

/**
 * The wall clock as it stood at start-up, carried on by the monotonic one: a
 * step of the machine's clock can neither shorten nor stretch a window.
 */
export const systemClock: Clock = { now: () => performance.timeOrigin + performance.now() };
