import type { Algorithm, Check, Quota } from './algorithm.ts';

/** A request weighed but not yet counted: nothing is remembered until `commit`. */
export interface Pending {
  readonly quota: Quota;
  readonly allowed: boolean;
  readonly remaining: number;
  /** Milliseconds since the Unix epoch, like `retryAt`. */
  readonly resetAt: number;
  readonly retryAt: number;
  /** Counts the request. */
  commit(): void;
}

/** The counters of all callers under one algorithm. */
export interface Ledger {
  /** How many callers are remembered. */
  readonly size: number;
  check(id: string, quota: Quota, now: number): Pending;
}

interface Account<State> {
  readonly state: State;
  readonly idleAt: number;
}

/** Every caller that finds no place of its own shares this account. */
const SHARED = '(everyone else)';

/**
 * Remembers each caller's state until it is worth no more than none. Every
 * check looks at two old accounts and drops the idle ones, so that no timer is
 * needed and there are never more than about twice as many accounts as live
 * ones. `capacity` bounds them whatever happens: callers beyond it share one account.
 */
export class StateLedger<State> implements Ledger {
  readonly #accounts = new Map<string, Account<State>>();
  readonly #algorithm: Algorithm<State>;
  readonly #capacity: number;
  #sweep = this.#accounts.entries();

  constructor(algorithm: Algorithm<State>, capacity = Number.POSITIVE_INFINITY) {
    this.#algorithm = algorithm;
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#accounts.size;
  }

  check(id: string, quota: Quota, now: number): Pending {
    this.#forgetIdle(now);
    const known = this.#accounts.get(id);
    const place = known !== undefined || this.#accounts.size < this.#capacity ? id : SHARED;
    const account = known ?? this.#accounts.get(place);
    return new Weighed(this, place, quota, this.#algorithm.check(account?.state, quota, now));
  }

  /** Sets what is remembered of a caller, until `idleAt` (milliseconds since the Unix epoch). */
  open(id: string, state: State, idleAt: number): void {
    this.#accounts.set(id, { state, idleAt });
  }

  #forgetIdle(now: number): void {
    for (let looks = 0; looks < 2; looks += 1) {
      const next = this.#sweep.next();
      if (next.done === true) {
        this.#sweep = this.#accounts.entries();
        return;
      }
      const [id, account] = next.value;
      if (account.idleAt <= now) this.#accounts.delete(id);
    }
  }
}

/** A class rather than a literal with a closure: one is made for every quota of every request. */
class Weighed<State> implements Pending {
  readonly quota: Quota;
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetAt: number;
  readonly retryAt: number;
  readonly #ledger: StateLedger<State>;
  readonly #place: string;
  readonly #check: Check<State>;

  constructor(ledger: StateLedger<State>, place: string, quota: Quota, check: Check<State>) {
    this.quota = quota;
    this.allowed = check.allowed;
    this.remaining = check.remaining;
    this.resetAt = check.resetAt;
    this.retryAt = check.retryAt;
    this.#ledger = ledger;
    this.#place = place;
    this.#check = check;
  }

  commit(): void {
    this.#ledger.open(this.#place, this.#check.state, this.#check.idleAt);
  }
}
