/** The clock of the service. Tests inject their own. */
export interface Clock {
  /** Milliseconds since the Unix epoch. Never decreases. */
  now(): number;
}

/**
 * The wall clock at start-up plus the monotonic clock since then, so that an
 * adjustment of the machine's clock changes the length of no window.
 */
export const systemClock: Clock = { now: () => performance.timeOrigin + performance.now() };
