import type { Caller } from './callers.ts';
import type { Quota } from './limiters/algorithm.ts';
import { fixedWindowFromFirst } from './limiters/fixed-window-from-first.ts';
import type { AlgorithmName } from './limiters/index.ts';
import { createLedger } from './limiters/index.ts';
import type { Ledger, Pending } from './limiters/ledger.ts';
import { StateLedger } from './limiters/ledger.ts';
import type { Request } from './message.ts';

/** What the limiter says of one request; times in milliseconds since the Unix epoch. */
export interface Decision {
  readonly allowed: boolean;
  /** The limit, the requests left and the reset of the window that the headers describe. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
  /** From when on a refused request would be accepted. */
  readonly retryAt: number;
}

/** Counts a caller's requests and decides. The request is there for those who count otherwise than by caller. */
export interface Limiter {
  spend(caller: Caller, request: Request, now: number): Decision;
}

/** How many client addresses without a valid key are counted one by one; any further ones share a count. */
const STRANGERS_REMEMBERED = 100_000;

/**
 * Counts every quota of a caller; a request must fit into all of them, and
 * counts in all or in none. `algorithm` governs the minute (and strangers); the
 * day is a window from the caller's first request whatever the algorithm, since
 * a log of a day's requests would be large and a bucket would never be empty
 * for more than moments.
 *
 * @param spentIds callers whose day is used up at `now`, for its whole length
 */
export function createLimiter(algorithm: AlgorithmName, spent: readonly Caller[], now: number): Limiter {
  const days = new StateLedger(fixedWindowFromFirst);
  for (const { id, quotas } of spent) {
    const day = quotas.find(({ window }) => window === 'day');
    if (day !== undefined) days.open(id, { start: now, count: day.limit }, now + day.windowMs);
  }
  const ledgers: Record<Quota['window'], Ledger> = {
    minute: createLedger(algorithm),
    day: days,
    stranger: createLedger(algorithm, STRANGERS_REMEMBERED),
  };
  return {
    spend({ id, quotas }, _request, at) {
      const pending = quotas.map((quota) => ledgers[quota.window].check(id, quota, at));
      const made = decide(pending);
      if (made.allowed) for (const one of pending) one.commit();
      return made;
    },
  };
}

/** What one quota says of a request: a `Pending` without its means to count. */
export type Weighed = Omit<Pending, 'commit'>;

/**
 * One decision out of what every quota of a caller says. Refused by any, it is
 * refused until the last of them would accept; else the headers describe the
 * window with the fewest requests left, the minute where both have as many.
 */
export function decide(weighed: readonly Weighed[]): Decision {
  const refused = weighed.filter(({ allowed }) => !allowed);
  const { allowed, quota, remaining, resetAt, retryAt } =
    refused.length > 0 ? refused.reduce(laterRetry) : weighed.reduce(tighter);
  return { allowed, limit: quota.limit, remaining, resetAt, retryAt };
}

const laterRetry = (a: Weighed, b: Weighed): Weighed => (b.retryAt > a.retryAt ? b : a);

const tighter = (a: Weighed, b: Weighed): Weighed => (b.remaining < a.remaining ? b : a);
