import type { Caller } from '../service/callers.ts';
import type { Request } from '../service/message.ts';
import type { Quota } from './algorithm.ts';
import type { CallerCounters, PendingCheck } from './caller-counters.ts';
import { StoredCounters } from './caller-counters.ts';
import { fixedWindowFromFirst } from './fixed-window.ts';
import type { AlgorithmName } from './index.ts';
import { createCounters } from './index.ts';

/** The limiter's decision about one request; times in milliseconds since the Unix epoch. */
export interface Decision {
  readonly allowed: boolean;
  /** The limit, the remaining quota and the reset of the window that the headers describe. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
  /** From when on a rate-limited request would be accepted. */
  readonly retryAt: number;
}

/** Decides about a request, and counts it where it accepts it. @param request only for limiters that do not count by caller alone. */
export type Limiter = (caller: Caller, request: Request, now: number) => Decision;

/** How many client addresses without a valid key have a counter of their own; all further ones share one. */
const MAX_UNAUTHENTICATED_COUNTERS = 100_000;

/**
 * Counts a request against every quota of its caller, in all of them or in none. `algorithm` counts the minute, and
 * unauthenticated requests; the day is always a fixed window from the caller's first request, because a log of a day
 * would be large and a bucket would refill all day.
 * @param exhausted callers whose daily quota is exhausted from `now` on.
 */
export function createLimiter(algorithm: AlgorithmName, exhausted: readonly Caller[], now: number): Limiter {
  const days = new StoredCounters(fixedWindowFromFirst);
  for (const { id, quotas } of exhausted) {
    const day = quotas.find(({ window }) => window === 'day');
    if (day !== undefined) days.set(id, { start: now, count: day.limit }, now + day.windowMs);
  }
  const counters: Record<Quota['window'], CallerCounters> = {
    minute: createCounters(algorithm),
    day: days,
    unauthenticated: createCounters(algorithm, MAX_UNAUTHENTICATED_COUNTERS),
  };
  return ({ id, quotas }, _request, at) => {
    const checks = quotas.map((quota) => counters[quota.window].check(id, quota, at));
    const decision = combineChecks(checks);
    if (decision.allowed) for (const one of checks) counters[one.quota.window].count(one);
    return decision;
  };
}

/**
 * One decision from the checks of all quotas of a caller. Where any of them
 * does not accept the request, the one with the latest `retryAt` decides.
 * If all accept it, the headers describe the window with the lowest remaining quota,
 * the first of them (the minute) where two are equal.
 */
function combineChecks(checks: readonly PendingCheck[]): Decision {
  const { quota, check } = checks.reduce(decisive);
  const { allowed, remaining, resetAt, retryAt } = check;
  return { allowed, limit: quota.limit, remaining, resetAt, retryAt };
}

function decisive(one: PendingCheck, other: PendingCheck): PendingCheck {
  const { check: a } = one;
  const { check: b } = other;
  if (a.allowed !== b.allowed) return a.allowed ? other : one;
  return (a.allowed ? b.remaining < a.remaining : b.retryAt > a.retryAt) ? other : one;
}
