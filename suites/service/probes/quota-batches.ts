import { least } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { answerOf } from '../../../kernel/exchanges/headers.ts';
import { dateHeaderSeconds } from '../../../kernel/exchanges/http-date.ts';
import { secondsToReset } from '../../../kernel/exchanges/rate-headers.ts';
import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import { readingOf } from '../../../kernel/rate-limits/series/reading.ts';
import type { Limits } from '../../../spec/plans.ts';

/** Requests sent one by one at the end, so that exactly one exceeds the limit; a third of a small limit. */
export const TAIL = 7;
/** The same for this limit. */
export const tailOf = (perMinute: number): number => Math.min(TAIL, Math.floor(perMinute / 3));

/** Parallel requests while most of a large limit is used. */
const PARALLEL = 32;

/** Requests sent one by one before the rest of the quota is requested in parallel. */
const MOST_ONE_BY_ONE = 3 * TAIL;

/**
 * The part of a window for which the key rests when few requests are left. A
 * counter that expires long before its announced end is full again by then. The
 * rest costs no request in a window, because its end does not move, and a few
 * in a bucket, which refills meanwhile.
 */
export const REST_WINDOWS = 1 / 24;

/** After this many times the limit, what the target advertises as remaining says nothing about its end. */
const FAR_BEYOND = 1.5;

/** The steps that exhaust a quota. */
export const exhaustionSteps = {
  parallel: 'in parallel',
  oneByOne: 'one by one',
  creation: 'one by one, a creation',
  mixedOperations: 'list and creation before the quota is exhausted',
  control: 'without a key, between requests without a response',
} as const;

/** Whether this request was sent to exhaust the quota. */
export const exhaustsQuota = (exchange: Exchange): boolean =>
  isOneByOne(exchange) || exchange.step === exhaustionSteps.parallel;

/** Whether this request was sent alone, at the end of the quota. */
const isOneByOne = ({ step }: Exchange): boolean =>
  step === exhaustionSteps.oneByOne || step === exhaustionSteps.creation;

/**
 * Whether the target advertises few remaining requests and an end far ahead.
 * Only after a request that was sent alone, so that parallel requests explain
 * no later change; and not where more was advertised than the limit.
 */
export function isNearlyExhausted(
  current: readonly Exchange[],
  { perMinute, minuteSeconds }: Limits,
): boolean {
  const last = current.at(-1);
  const remaining = remainingByTarget(current, perMinute) ?? 0;
  const answer = last === undefined ? undefined : answerOf(last);
  if (
    last === undefined ||
    answer === undefined ||
    !isOneByOne(last) ||
    current.length > FAR_BEYOND * perMinute
  )
    return false;
  // Without Date nothing shows how far ahead Reset is; a window that ends during the rest is no harm.
  const end =
    secondsToReset(answer) ?? (dateHeaderSeconds(answer) === undefined ? Number.POSITIVE_INFINITY : 0);
  return remaining > 0 && remaining <= tailOf(perMinute) && end > 2 * REST_WINDOWS * minuteSeconds;
}

/**
 * As many parallel requests as leave the tail. A bucket may refill as fast as
 * requests come one by one. Then the batch holds all that remains, what refills
 * during a round trip, and one request more. A small bucket (`held`) is used one
 * by one: a batch would exceed it by many requests.
 */
export function batchSizeFor(current: readonly Exchange[], limits: Limits, held?: number): number {
  const remaining = remainingQuota(current, limits.perMinute);
  const sentOneByOne = current.filter(isOneByOne).length;
  const refillsAsFast =
    sentOneByOne >= MOST_ONE_BY_ONE || current.length >= limits.perMinute + MOST_ONE_BY_ONE;
  if (!refillsAsFast) return held === undefined ? parallelOf(remaining, limits.perMinute) : 1;
  const last = current.at(-1);
  const roundTripMs = last === undefined ? 0 : last.received.mono - last.sent.mono;
  const refill = Math.ceil((limits.perMinute * roundTripMs) / minuteQuota(limits).windowMs);
  return Math.min(PARALLEL, (held ?? remaining) + refill + 1);
}

/** As many parallel requests as leave the tail; less than two where the rest goes out one by one. */
const parallelOf = (remaining: number, perMinute: number): number =>
  Math.min(PARALLEL, remaining - tailOf(perMinute));

/** How many of the remaining requests go out one by one where each of them lowers Remaining by one. */
export function oneByOneOf(remaining: number, perMinute: number): number {
  const parallel = parallelOf(remaining, perMinute);
  return parallel < 2 ? remaining : oneByOneOf(remaining - parallel, perMinute);
}

/** The remaining quota by our own count and by what the target advertises, whichever is lower. */
export function remainingQuota(current: readonly Exchange[], perMinute: number): number {
  const advertised = remainingByTarget(current, perMinute);
  const byCount = perMinute - current.length;
  if (advertised === undefined) return byCount;
  return byCount > 0 ? Math.min(byCount, advertised) : advertised;
}

/**
 * The last Remaining of the minute; undefined where the last reading describes another limit. Of requests that were
 * under way at the same time, the least one: it counts the most of them.
 */
export function remainingByTarget(current: readonly Exchange[], perMinute: number): number | undefined {
  const last = current.map(readingOf).findLast((one) => one !== undefined);
  if (last?.limit !== perMinute) return undefined;
  const together = current.filter(({ received }) => received.mono > last.exchange.sent.mono).map(readingOf);
  return least(together.map((one) => (one?.limit === perMinute ? one.remaining : last.remaining)));
}
