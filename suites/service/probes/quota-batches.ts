import { greatest, least, medianOfNumbers } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { isRateLimited, unavailable } from '../../../kernel/exchanges/outcome-kinds.ts';
import { isUndated, secondsToReset } from '../../../kernel/exchanges/rate-headers.ts';
import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import { readingOf, surelyCounts } from '../../../kernel/rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { ProbeRequest } from '../wire/session.ts';
import type { LabelledRequest } from './category-requests.ts';
import { categoryNamer, createRequest, listRequest } from './category-requests.ts';
import type { RunInputs } from './probe.ts';
import { nextStoredValue } from './stored-values.ts';
import { NAMED_OPERATIONS } from './unauthenticated.ts';

/** Requests sent one by one at the end, so that exactly one exceeds the limit; a third of a small limit. */
export const TAIL = 7;
export const tailOf = (perMinute: number): number => Math.min(TAIL, Math.floor(perMinute / 3));

/** Parallel requests while most of a large limit is used. */
const PARALLEL = 32;

export const MOST_ONE_BY_ONE = 3 * TAIL;

/** When few requests are left: a counter that expires long before its announced end is full again after it. */
export const REST_WINDOWS = 1 / 24;

/** After this many times the limit, what the target advertises as remaining says nothing about its end. */
const FAR_BEYOND = 1.5;

export const exhaustionSteps = {
  parallel: 'in parallel',
  oneByOne: 'one by one',
  creation: 'one by one, a creation',
  mixedOperations: 'list and creation before the quota is exhausted',
  control: 'without a key, between requests without a response',
} as const;

export const exhaustsQuota = (exchange: Exchange): boolean =>
  isOneByOne(exchange) || exchange.step === exhaustionSteps.parallel;

const isOneByOne = ({ step }: Exchange): boolean =>
  step === exhaustionSteps.oneByOne || step === exhaustionSteps.creation;

/** Far from the end, after a request that was sent alone, so that parallel requests explain no later change. */
export function isNearlyExhausted(
  current: readonly Exchange[],
  { perMinute, minuteSeconds }: Limits,
): boolean {
  const last = current.at(-1);
  const remaining = remainingByTarget(current, perMinute) ?? 0;
  if (last === undefined || !isOneByOne(last) || current.length > FAR_BEYOND * perMinute) return false;
  // Without Date nothing shows how far ahead Reset is; a window that ends during the rest is no harm.
  const end = secondsToReset(last) ?? (isUndated(last) ? Number.POSITIVE_INFINITY : 0);
  return remaining > 0 && remaining <= tailOf(perMinute) && end > 2 * REST_WINDOWS * minuteSeconds;
}

/** As leave the tail; of a bucket all that remains, what refills meanwhile, and one more. A small one (`held`) is used one by one. */
export function batchSizeFor(current: readonly Exchange[], limits: Limits, held?: number): number {
  const remaining = remainingQuota(current, limits.perMinute);
  const sentOneByOne = current.filter(isOneByOne).length;
  const refillsAsFast =
    sentOneByOne >= MOST_ONE_BY_ONE || current.length >= limits.perMinute + MOST_ONE_BY_ONE;
  if (!refillsAsFast) return held === undefined ? parallelOf(remaining, limits.perMinute) : 1;
  const roundTripMs = durationOf(current.slice(-1));
  const refill = Math.ceil((limits.perMinute * roundTripMs) / minuteQuota(limits).windowMs);
  return Math.min(PARALLEL, (held ?? remaining) + refill + 1);
}

/** The longest that can lie between two decisions about these requests, in milliseconds. */
export const durationOf = (exchanges: readonly Exchange[]): number =>
  greatest(exchanges.map(({ received }) => received.mono)) - least(exchanges.map(({ sent }) => sent.mono));

/** As many parallel requests as leave the tail; less than two where the rest goes out one by one. */
export const parallelOf = (remaining: number, perMinute: number): number =>
  Math.min(PARALLEL, remaining - tailOf(perMinute));

/** How many of the remaining requests go out one by one where each of them lowers Remaining by one. */
export function oneByOneOf(remaining: number, perMinute: number): number {
  const parallel = parallelOf(remaining, perMinute);
  return parallel < 2 ? remaining : oneByOneOf(remaining - parallel, perMinute);
}

/** The remaining quota by our own count and by what the target advertises, whichever is lower. */
function remainingQuota(current: readonly Exchange[], perMinute: number): number {
  const advertised = remainingByTarget(current, perMinute);
  const byCount = perMinute - current.length;
  if (advertised === undefined) return byCount;
  return byCount > 0 ? Math.min(byCount, advertised) : advertised;
}

/** Undefined where it is another limit's. Of requests under way together the least one: it counts the most of them. */
export function remainingByTarget(current: readonly Exchange[], perMinute: number): number | undefined {
  const last = current.map(readingOf).findLast((one) => one !== undefined);
  if (last?.limit !== perMinute) return undefined;
  const together = current.filter(({ received }) => received.mono > last.exchange.sent.mono).map(readingOf);
  return least(together.map((one) => (one?.limit === perMinute ? one.remaining : last.remaining)));
}

/** As many lists as the limit should take no more than this share of a window; the rest is for what else a run sends in it. */
const MOST_OF_A_WINDOW = 1 / 2;

/** Another operation is worth its effect only where it takes at most this share of the time of a list. */
const CHEAPER = 1 / 2;

/** The list, which leaves nothing behind, unless as many as the limit do not fit into its window: then a quicker one that counts. */
export function exhaustingOperation(
  exchanges: readonly Exchange[],
  limits: Limits,
): 'list' | 'creation' | (typeof NAMED_OPERATIONS)[number] {
  const keyed = exchanges.filter((exchange) => exchange.caller === 'key' && surelyCounts(exchange));
  const quota = minuteQuota(limits);
  const listMs = medianOfNumbers(durations(keyed.filter((one) => isDocumentedOperation(one) && isGet(one))));
  if (Number.isNaN(listMs) || listMs * quota.limit <= MOST_OF_A_WINDOW * quota.windowMs) return 'list';
  const isCheaper = (those: readonly Exchange[]): boolean =>
    medianOfNumbers(durations(those)) <= CHEAPER * listMs;
  const path = NAMED_OPERATIONS.find((named) =>
    isCheaper(keyed.filter((one) => isGet(one) && one.request.target.endsWith(named))),
  );
  if (path !== undefined) return path;
  const creations = keyed.filter((one) => isDocumentedOperation(one) && one.request.method === 'POST');
  return isCheaper(creations) ? 'creation' : 'list';
}

const isGet = ({ request }: Exchange): boolean => request.method === 'GET';

const durations = (exchanges: readonly Exchange[]): readonly number[] =>
  exchanges.map(({ sent, received }) => received.mono - sent.mono);

/** The next request that uses the quota, the `i`th of its batch: a list, or something quicker where lists take too long. */
export function exhaustingRequest(
  pacer: Pacer,
  inputs: RunInputs,
  more: Partial<ProbeRequest>,
  i = 0,
): ProbeRequest {
  const { exchanges } = pacer.session;
  const operation = exhaustingOperation(exchanges, pacer.limits);
  if (operation === 'list') return listRequest(more);
  if (operation !== 'creation') return listRequest({ ...more, path: operation });
  return createRequest({ name: categoryNamer(pacer, inputs)(`use-${exchanges.length + i}`) }, more);
}

/** Over a new connection, in turn; the one beyond the limit is a creation. Only lists, where creations show nothing about the limit. */
export function nextOfTail(pacer: Pacer, inputs: RunInputs, current: readonly Exchange[]): LabelledRequest {
  const isTurn = remainingQuota(current, pacer.limits.perMinute) % 2 === 0;
  const afterCreation = current.at(-1)?.step === exhaustionSteps.creation;
  const works = creationsWork(pacer.session.exchanges);
  if (isTurn && !afterCreation && works) return [exhaustionSteps.creation, tailCreation(pacer, inputs)];
  const request = exhaustingRequest(pacer, inputs, { route: 'new' });
  if (request.method !== 'POST') return [exhaustionSteps.oneByOne, request];
  return [exhaustionSteps.creation, works ? tailCreation(pacer, inputs) : request];
}

/** A creation like those that the target accepted, with the next value of real data. */
const tailCreation = (pacer: Pacer, inputs: RunInputs): ProbeRequest =>
  createRequest(nextStoredValue(pacer, inputs), { route: 'new' });

/** Whether the target created a category in this run, and no creation at the end of the quota was without effect. */
const creationsWork = (exchanges: readonly Exchange[]): boolean =>
  exchanges.some((one) => one.request.method === 'POST' && statusOf(one) === 201) &&
  !exchanges.some(isOpenCreation);

/** Whether the service itself responded: the response was not lost, and does not come from a gateway alone. */
export const isConclusive = (exchange: Exchange): boolean =>
  statusOf(exchange) !== undefined && !unavailable(exchange);

/** Neither 201 nor 429 shows nothing about the limit: which names are accepted, and how many categories, is not shown. */
export const isOpenCreation = (exchange: Exchange): boolean =>
  exchange.step === exhaustionSteps.creation &&
  isConclusive(exchange) &&
  statusOf(exchange) !== 201 &&
  !isRateLimited(exchange);

/** How many of so many requests at the end of the quota, all of them within the limit, are creations. */
export const creationsWithin = (requests: number): number => Math.floor(requests / 2);

export function unexpectedText(exchange: Exchange): string {
  const status = statusOf(exchange);
  const what = status === undefined ? 'got no response' : `returned ${status}`;
  return `Exchange ${exchange.n} ${what}, which is neither a success nor 429, so the run used no more of the quota then.`;
}
