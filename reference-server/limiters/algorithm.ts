/** How many requests one caller may make in one window. */
export interface Quota {
  /** `minute` and `day` belong to a key's plan; `stranger` to a client address without a valid key. */
  readonly window: 'minute' | 'day' | 'stranger';
  /** Requests allowed in one window, at least 1. */
  readonly limit: number;
  /** The window's length in milliseconds. */
  readonly windowMs: number;
}

/** What an algorithm says of one request. All times are whole milliseconds since the Unix epoch. */
export interface Check<State> {
  readonly allowed: boolean;
  /** Requests that would still be accepted at this very moment, this one already counted. */
  readonly remaining: number;
  /** When the limit resets; each algorithm says below what that means for it. */
  readonly resetAt: number;
  /** The earliest moment at which a refused request would be accepted; the present one where it is. */
  readonly retryAt: number;
  /** What to remember of the caller: unchanged where the request is refused. */
  readonly state: State;
  /** From this moment on the state is worth no more than none at all, and may be forgotten. */
  readonly idleAt: number;
}

/**
 * A rate-limit algorithm as one pure function. `state` is undefined for a
 * caller that was never seen or was forgotten; `now` is whole milliseconds and
 * never goes back. A refused request never counts.
 */
export interface Algorithm<State> {
  readonly name: string;
  check(state: State | undefined, quota: Quota, now: number): Check<State>;
}
