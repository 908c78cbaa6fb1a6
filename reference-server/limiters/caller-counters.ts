import type { Algorithm, Check, Quota } from './algorithm.ts';

/** One request checked against one quota, and not counted yet. */
export interface PendingCheck<State = unknown> {
  readonly quota: Quota;
  readonly check: Check<State>;
  /** The id of the state that it was checked against. */
  readonly storedAs: string;
}

/** The counters of all callers under one algorithm. */
export interface CallerCounters {
  /** How many callers have a state. */
  readonly size: number;
  check(id: string, quota: Quota, now: number): PendingCheck;
  /** Counts the request of a check of these counters. */
  count(pending: PendingCheck): void;
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

  check(id: string, quota: Quota, now: number): PendingCheck<State> {
    const own = this.#states.get(id);
    if (own === undefined) this.#dropIdle(now);
    const storedAs = own !== undefined || this.#states.size < this.#capacity ? id : SHARED;
    const stored = own ?? this.#states.get(storedAs);
    return { quota, check: this.#algorithm.check(stored?.state, quota, now), storedAs };
  }

  count({ storedAs, check: { state, idleAt } }: PendingCheck<State>): void {
    this.set(storedAs, state, idleAt);
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
