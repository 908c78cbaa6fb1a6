import type { Algorithm, Check, Quota } from './algorithm.ts';

/** One request checked against one quota, and not counted yet. */
export interface PendingCheck {
  readonly quota: Quota;
  readonly check: Check<unknown>;
  /** Counts the request. */
  commit(): void;
}

/** The counters of all callers under one algorithm. */
export interface CallerCounters {
  /** How many callers have a state. */
  readonly size: number;
  check(id: string, quota: Quota, now: number): PendingCheck;
}

/** The id under which all callers beyond the capacity share one state. */
const SHARED = '(everyone else)';

/**
 * Stores each caller's state until it is idle, when no state gives the same
 * results. Every check of a new caller looks at two stored states and drops the idle
 * ones: no timer is needed, and there are never more than about twice as many states as
 * active callers at their most. `capacity` is the upper bound: all callers beyond it share one state.
 */
export class StoredCounters<State> implements CallerCounters {
  readonly #states = new Map<string, { readonly state: State; readonly idleAt: number }>();
  readonly #algorithm: Algorithm<State>;
  readonly #capacity: number;
  #sweep = this.#states.entries();

  constructor(algorithm: Algorithm<State>, capacity = Number.POSITIVE_INFINITY) {
    this.#algorithm = algorithm;
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#states.size;
  }

  check(id: string, quota: Quota, now: number): PendingCheck {
    const own = this.#states.get(id);
    if (own === undefined) this.#dropIdle(now);
    const storedAs = own !== undefined || this.#states.size < this.#capacity ? id : SHARED;
    const stored = own ?? this.#states.get(storedAs);
    return new UncountedCheck(this, storedAs, quota, this.#algorithm.check(stored?.state, quota, now));
  }

  /** Sets a caller's state, which is idle from `idleAt` on (milliseconds since the Unix epoch). */
  set(id: string, state: State, idleAt: number): void {
    this.#states.set(id, { state, idleAt });
  }

  #dropIdle(now: number): void {
    for (let looked = 0; looked < 2; looked += 1) {
      const next = this.#sweep.next();
      if (next.done === true) {
        this.#sweep = this.#states.entries();
        return;
      }
      const [id, stored] = next.value;
      if (stored.idleAt <= now) this.#states.delete(id);
    }
  }
}

/** A class and not a literal with a closure, for speed: every request makes one for each of its quotas. */
class UncountedCheck<State> implements PendingCheck {
  readonly quota: Quota;
  readonly check: Check<State>;
  readonly #counters: StoredCounters<State>;
  readonly #storedAs: string;

  constructor(counters: StoredCounters<State>, storedAs: string, quota: Quota, check: Check<State>) {
    this.quota = quota;
    this.check = check;
    this.#counters = counters;
    this.#storedAs = storedAs;
  }

  commit(): void {
    this.#counters.set(this.#storedAs, this.check.state, this.check.idleAt);
  }
}
