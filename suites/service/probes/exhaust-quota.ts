import { greatest, least, medianOfNumbers } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { accepted, isRateLimited, unavailable } from '../../../kernel/exchanges/outcome-kinds.ts';
import { isUndated, secondsToReset } from '../../../kernel/exchanges/rate-headers.ts';
import { overrunOf } from '../../../kernel/rate-limits/bounds/overrun.ts';
import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import type { Series } from '../../../kernel/rate-limits/series.ts';
import {
  exchangesOf,
  mayCount,
  readingOf,
  seriesOf,
  surelyCounts,
} from '../../../kernel/rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { ProbeRequest } from '../wire/session.ts';
import type { LabelledRequest } from './category-requests.ts';
import { categoryNamer, createRequest, listRequest, unauthenticatedList } from './category-requests.ts';
import { isBaseline, preflight, sendBaselineAfterIdle } from './preflight.ts';
import type { Probe, RunInputs } from './probe.ts';
import { nextStoredValue } from './stored-values.ts';
import { NAMED_OPERATIONS } from './unauthenticated.ts';

/** The probe starts in the current window where at most this share of it has passed since the baseline request. */
const LATEST_START = 1 / 3;

/** Earlier requests that may not count against the limit: those that are rejected as invalid. */
const UNCOUNTED = 60;

/** Most of a large quota in parallel, the rest one by one over new connections, until something is no success or more than any limiter accepts. */
export const exhaustQuota = {
  id: 'exhaust-quota',
  description: 'the remaining quota with lists and creations, and one creation more',
  steps: {
    parallel: 'in parallel',
    oneByOne: 'one by one',
    creation: 'one by one, a creation',
    mixedOperations: 'list and creation before the quota is exhausted',
    control: 'without a key, between requests without a response',
    baselineAfterIdle: preflight.steps.baselineAfterIdle,
  },
  cost({ limits: { perMinute } }, before) {
    const fits = fitsInWindow(before.withKey, perMinute);
    const remaining = perMinute - (fits ? before.withKey : 0);
    const again = fits ? 0 : 1 + 2 * mixedCreations(perMinute);
    const tail = creationsWithin(oneByOneOf(remaining - again, perMinute));
    const categoriesCreated = tail + (fits ? 0 : mixedCreations(perMinute));
    return { withKey: remaining + 1, categoriesCreated };
  },
  async run(pacer, inputs) {
    // The 429 of a small bucket came from a batch: one after another shows how many it holds.
    if (pacer.isKeyStopped || (pacer.isRateLimited && pacer.bucket.capacity === undefined)) return;
    if (pacer.isRateLimited || !isWindowFresh(pacer)) await startOver(pacer, inputs);
    if (pacer.isKeyStopped || pacer.isRateLimited) return;
    await sendPastLimitWithRests(pacer, inputs);
  },
} as const satisfies Probe;

/** Sends the remaining quota and one request more, counted from a baseline request in the current window; nothing after a 429. */
export async function sendPastLimit(pacer: Pacer, inputs: RunInputs): Promise<void> {
  if (pacer.isRateLimited || pacer.isKeyStopped) return;
  while (await sendNext(pacer, inputs, 0));
}

/** The same with a rest before the end; with a second one where it was full again: a window may start only once. */
async function sendPastLimitWithRests(pacer: Pacer, inputs: RunInputs): Promise<void> {
  const { perMinute } = pacer.limits;
  let startedAt = 0;
  let hasRested = false;
  do {
    const current = currentSeries(pacer);
    if (hasRested && (remainingByTarget(current, perMinute) ?? 0) > perMinute / 2) {
      startedAt = current.length - 1;
      hasRested = false;
    }
    if (!hasRested && isNearlyExhausted(current.slice(startedAt), pacer.limits)) {
      hasRested = true;
      await pacer.session.wait(
        REST_WINDOWS * pacer.limits.minuteSeconds,
        'Remaining after a pause shows whether the window lasts as long as announced',
      );
    }
  } while (await sendNext(pacer, inputs, startedAt));
}

/** How many creations are sent right after a new baseline request: none where the limit is smaller than its tail. */
const mixedCreations = (perMinute: number): number => (perMinute > TAIL ? 1 : 0);

/** Whether the requests before this probe leave enough quota for its end in the same window. */
const fitsInWindow = (before: number, perMinute: number): boolean => before + tailOf(perMinute) <= perMinute;

async function startOver(pacer: Pacer, inputs: RunInputs): Promise<void> {
  await sendBaselineAfterIdle(pacer, 'the quota must be full before it is exhausted');
  // Two operations early on show counters that are kept for each operation.
  if (mixedCreations(pacer.limits.perMinute) > 0) {
    await pacer.sendWithKey(exhaustQuota.steps.mixedOperations, listRequest());
    await pacer.sendWithKey(
      exhaustQuota.steps.mixedOperations,
      createRequest(nextStoredValue(pacer, inputs)),
    );
  }
}

/** Whether the quota can be counted from a baseline request in the current window. */
function isWindowFresh(pacer: Pacer): boolean {
  const { limits } = pacer;
  const current = currentSeries(pacer);
  const first = current[0];
  if (first === undefined || !isBaseline(first)) return false;
  const passed = pacer.session.now().mono - first.sent.mono;
  return (
    fitsInWindow(current.length, limits.perMinute) && passed < LATEST_START * minuteQuota(limits).windowMs
  );
}

export const currentUse = ({ session, limits }: Pick<Pacer, 'session' | 'limits'>): Series =>
  seriesOf(mayCount(session.exchanges), limits).at(-1) ?? [];

const currentSeries = (pacer: Pacer): readonly Exchange[] => exchangesOf(currentUse(pacer));

/** Sends the next request or batch, counted from the request at `startedAt`; false when there is no more to send. */
async function sendNext(pacer: Pacer, inputs: RunInputs, startedAt: number): Promise<boolean> {
  const current = currentSeries(pacer);
  const stop = whyStop(pacer, current);
  if (stop !== undefined) {
    pacer.session.note(stop);
    return false;
  }
  const size = batchSizeFor(current.slice(startedAt), pacer.limits, pacer.bucket.capacity);
  if (size < 2) {
    const [step, request] = nextOfTail(pacer, inputs, current);
    const exchange = await pacer.sendWithKeyNow(step, request);
    return continues(pacer, [isConclusive(exchange) ? exchange : await sendAgain(pacer)]);
  }
  const requests = Array.from({ length: size }, (_, i) =>
    exhaustingRequest(pacer, inputs, { route: `parallel-${i + 1}` }, i),
  );
  const exchanges = await pacer.sendBatchWithKeyNow(exhaustQuota.steps.parallel, requests);
  return continues(pacer, exchanges.filter(isConclusive));
}

/** Whether all of these were accepted, apart from creations that show nothing about the limit. Notes a response that is neither a success nor 429: then the run sees no 429. */
function continues(pacer: Pacer, all: readonly Exchange[]): boolean {
  const exchanges = all.filter((exchange) => !isOpenCreation(exchange));
  const unexpected = exchanges.find((exchange) => !accepted(exchange) && !isRateLimited(exchange));
  if (unexpected !== undefined) pacer.session.note(unexpectedText(unexpected));
  return exchanges.every(accepted);
}

/** The network may lose one or two responses; three in a row are the target's doing if one without a key comes in between. */
async function sendAgain(pacer: Pacer): Promise<Exchange> {
  const second = await pacer.sendWithKeyNow(exhaustQuota.steps.oneByOne, listRequest({ route: 'new' }));
  if (isConclusive(second)) return second;
  await pacer.sendOutsideQuota(exhaustQuota.steps.control, unauthenticatedList('none', { route: 'new' }));
  return pacer.sendWithKeyNow(exhaustQuota.steps.oneByOne, listRequest({ route: 'new' }));
}

function whyStop(pacer: Pacer, current: readonly Exchange[]): string | undefined {
  const { limits } = pacer;
  const { windowMs } = minuteQuota(limits);
  const [series = []] = seriesOf(current, limits);
  const over = current.length > limits.perMinute ? overrunOf(series, limits) : undefined;
  if (over !== undefined) {
    return `The target accepted ${over.accepted} requests where a conforming one accepts at most ${over.allowed}, so the run sent no more.`;
  }
  const now = pacer.session.now().mono;
  const passedMs = now - (current[0]?.sent.mono ?? now);
  const refill = Math.floor((limits.perMinute * passedMs) / windowMs);
  if (current.length > 2 * limits.perMinute + refill + UNCOUNTED) {
    return `The run sent ${current.length} requests without a 429 and without proof of an overrun, and sent no more.`;
  }
  if (passedMs > 2 * windowMs) {
    return `The responses came too slowly to show the limit: ${current.length} requests took ${Math.round(passedMs / 1000)} s, and none got 429.`;
  }
  return undefined;
}

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

export const exhaustsQuota = (exchange: Exchange): boolean =>
  isOneByOne(exchange) || exchange.step === exhaustQuota.steps.parallel;

const isOneByOne = ({ step }: Exchange): boolean =>
  step === exhaustQuota.steps.oneByOne || step === exhaustQuota.steps.creation;

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
  const afterCreation = current.at(-1)?.step === exhaustQuota.steps.creation;
  const works = creationsWork(pacer.session.exchanges);
  if (isTurn && !afterCreation && works) return [exhaustQuota.steps.creation, tailCreation(pacer, inputs)];
  const request = exhaustingRequest(pacer, inputs, { route: 'new' });
  if (request.method !== 'POST') return [exhaustQuota.steps.oneByOne, request];
  return [exhaustQuota.steps.creation, works ? tailCreation(pacer, inputs) : request];
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
  exchange.step === exhaustQuota.steps.creation &&
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
