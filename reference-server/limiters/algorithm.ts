/** How many requests one caller may send in one window. */
export interface Quota {
  /** `minute` and `day` belong to the plan of a key, `unauthenticated` to a client address without a valid key. */
  readonly window: 'minute' | 'day' | 'unauthenticated';
  /** Requests allowed in one window, at least 1. */
  readonly limit: number;
  /** The window's length in milliseconds. */
  readonly windowMs: number;
}

/** What an algorithm decides about one request. All times are whole milliseconds since the Unix epoch. */
export interface Check<State> {
  readonly allowed: boolean;
  /** How many more requests would be accepted at this moment, after this one. */
  readonly remaining: number;
  /** When the limit resets; the docstring of each algorithm says what that means. */
  readonly resetAt: number;
  /** The earliest time at which this request would be accepted; `now` where it is. */
  readonly retryAt: number;
  /** What to remember of the caller; equivalent to the given state where the request is not accepted. */
  readonly state: State;
  /** From this time on, the state gives the same results as no state, and may be dropped. */
  readonly idleAt: number;
}

/** A rate-limit algorithm: a pure function, and the bound that it keeps. */
export interface Algorithm<State> {
  /**
   * `state` is undefined for a caller without a state; `now` is in whole milliseconds and never decreases. A request
   * that is not accepted does not count.
   */
  readonly check: (state: State | undefined, quota: Quota, now: number) => Check<State>;
  /** How many requests it accepts at most in any span of so many windows. */
  readonly most: (limit: number, windows: number) => number;
}
