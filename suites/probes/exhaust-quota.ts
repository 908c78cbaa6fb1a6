import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf, statusOf } from '../../exchanges/headers.ts';
import { accepted, isRateLimited, unavailable } from '../../exchanges/outcome-kinds.ts';
import { secondsToReset } from '../../exchanges/rate-headers.ts';
import { overrunOf } from '../../rate-limits/bounds/overrun.ts';
import { minuteQuota } from '../../rate-limits/quota.ts';
import { ofKey } from '../../rate-limits/series/keyed-requests.ts';
import { readingOf } from '../../rate-limits/series/reading.ts';
import { seriesOf } from '../../rate-limits/series/series.ts';
import type { Limits } from '../../spec/plans.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { categoryNamer } from './category-names.ts';
import { createRequest, listRequest } from './category-requests.ts';
import { isBaseline, preflight, sendBaselineAfterIdle } from './preflight.ts';
import type { Probe, RunInputs } from './probe.ts';
import { noRequests } from './probe.ts';

/** Requests sent one by one at the end, so that exactly one exceeds the limit; a third of a small limit. */
const TAIL = 7;
const tailOf = (perMinute: number): number => Math.min(TAIL, Math.floor(perMinute / 3));

/** Parallel requests while most of a large limit is used. */
const PARALLEL = 32;

/** Requests sent one by one before the rest of the quota is requested in parallel. */
const MOST_ONE_BY_ONE = 3 * TAIL;

/** The probe starts in the current window where at most this share of it has passed since the baseline request. */
const LATEST_START = 1 / 3;

/**
 * The part of a window for which the key rests when few requests are left. A
 * counter that expires long before its announced end is full again by then. The
 * rest costs no request in a window, because its end does not move, and a few
 * in a bucket, which refills meanwhile.
 */
const REST_WINDOWS = 1 / 24;

/** After this many times the limit, what the target advertises as remaining says nothing about its end. */
const FAR_BEYOND = 1.5;

/** Earlier requests that may not count against the limit: those that are rejected as invalid. */
const UNCOUNTED = 60;

const steps = {
  parallel: 'in parallel',
  oneByOne: 'one by one',
  mixedOperations: 'list and creation before the quota is exhausted',
  control: 'without a key, between requests without a response',
} as const;

const allSteps = { ...steps, baselineAfterIdle: preflight.steps.baselineAfterIdle } as const;

/**
 * Uses the remaining quota and sends one request more, which must get 429. Most
 * of a large quota is used in parallel, the rest one by one over new
 * connections. It stops at the first 429, at the first response that is neither
 * a success nor 429, and as soon as more is accepted than any limiter allows.
 */
export const exhaustQuota: Probe<typeof allSteps> = {
  id: 'exhaust-quota',
  description: 'the remaining quota, and one request more',
  steps: allSteps,
  cost({ limits: { perMinute } }, before) {
    const fits = fitsInWindow(before.withKey, perMinute);
    const requests = perMinute - (fits ? before.withKey : 0) + 1;
    return { ...noRequests, withKey: requests, categoriesCreated: fits ? 0 : 1 };
  },
  async run(pacer, inputs) {
    if (pacer.isKeyStopped || pacer.isRateLimited) return;
    if (!isWindowFresh(pacer)) await startOver(pacer, inputs);
    if (pacer.isKeyStopped) return;
    await sendPastLimitWithRests(pacer);
  },
};

/** Whether this request was sent to exhaust the quota. */
export const exhaustsQuota = ({ step }: Exchange): boolean =>
  step === steps.oneByOne || step === steps.parallel;

/** Sends the remaining quota and one request more, counted from a baseline request in the current window. */
export async function sendPastLimit(pacer: Pacer): Promise<void> {
  while (await sendNext(pacer, 0));
}

/**
 * The same with a rest before the end. If the quota was full again after the
 * rest, it rests a second time: a window may start at any moment, but only once.
 */
async function sendPastLimitWithRests(pacer: Pacer): Promise<void> {
  const { perMinute, minuteSeconds } = pacer.limits;
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
        REST_WINDOWS * minuteSeconds,
        'Remaining after a pause shows whether the window lasts as long as announced',
      );
    }
  } while (await sendNext(pacer, startedAt));
}

/**
 * Whether the target advertises few remaining requests and an end far ahead.
 * Only after a request that was sent alone, so that parallel requests explain
 * no later change; and not where more was advertised than the limit.
 */
function isNearlyExhausted(current: readonly Exchange[], { perMinute, minuteSeconds }: Limits): boolean {
  const last = current.at(-1);
  const remaining = remainingByTarget(current, perMinute) ?? 0;
  const answer = last === undefined ? undefined : answerOf(last);
  if (last?.step !== steps.oneByOne || answer === undefined || current.length > FAR_BEYOND * perMinute)
    return false;
  const end = secondsToReset(answer) ?? 0;
  return remaining > 0 && remaining <= tailOf(perMinute) && end > 2 * REST_WINDOWS * minuteSeconds;
}

/** Whether the requests before this probe leave enough quota for its end in the same window. */
const fitsInWindow = (before: number, perMinute: number): boolean => before + tailOf(perMinute) <= perMinute;

async function startOver(pacer: Pacer, inputs: RunInputs): Promise<void> {
  await sendBaselineAfterIdle(pacer, 'the quota must be untouched before it is exhausted');
  // Two operations early on show counters that are kept for each operation.
  if (pacer.limits.perMinute > TAIL) {
    const name = categoryNamer(pacer, inputs)('exhaust');
    await pacer.sendWithKey(steps.mixedOperations, listRequest());
    await pacer.sendWithKey(steps.mixedOperations, createRequest({ name }));
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

function currentSeries(pacer: Pacer): readonly Exchange[] {
  return (seriesOf(ofKey(pacer.session.exchanges), pacer.limits).at(-1) ?? []).flatMap(
    (step) => step.exchanges,
  );
}

/** Sends the next request or batch, counted from the request at `startedAt`; false when there is no more to send. */
async function sendNext(pacer: Pacer, startedAt: number): Promise<boolean> {
  const current = currentSeries(pacer);
  const stop = whyStop(pacer, current);
  if (stop !== undefined) {
    pacer.session.note(stop);
    return false;
  }
  const size = batchSizeFor(current.slice(startedAt), pacer.limits);
  if (size < 2) {
    const exchange = await pacer.sendWithKeyNow(steps.oneByOne, listRequest({ route: 'new' }));
    return continues(pacer, [isConclusive(exchange) ? exchange : await sendAgain(pacer)]);
  }
  const requests = Array.from({ length: size }, (_, i) => listRequest({ route: `parallel-${i + 1}` }));
  const exchanges = await pacer.sendBatchWithKeyNow(steps.parallel, requests);
  return continues(pacer, exchanges.filter(isConclusive));
}

/** Whether all of these were accepted. Notes a response that is neither a success nor 429: then the run sees no 429. */
function continues(pacer: Pacer, exchanges: readonly Exchange[]): boolean {
  const unexpected = exchanges.find((exchange) => !accepted(exchange) && !isRateLimited(exchange));
  if (unexpected !== undefined) {
    const status = statusOf(unexpected);
    const what = status === undefined ? 'got no response' : `was answered ${status}`;
    pacer.session.note(
      `Exchange ${unexpected.n} ${what}, which is neither a success nor 429, so the run sent no more.`,
    );
  }
  return exchanges.every(accepted);
}

/** Whether the service itself responded: the response was not lost, and does not come from a gateway alone. */
const isConclusive = (exchange: Exchange): boolean =>
  statusOf(exchange) !== undefined && !unavailable(exchange);

/**
 * The network may lose one or two responses. Three in a row are the target's
 * doing where a request without a key gets a response between them.
 */
async function sendAgain(pacer: Pacer): Promise<Exchange> {
  const second = await pacer.sendWithKeyNow(steps.oneByOne, listRequest({ route: 'new' }));
  if (isConclusive(second)) return second;
  await pacer.sendOutsideQuota(steps.control, listRequest({ credential: { kind: 'none' }, route: 'new' }));
  return pacer.sendWithKeyNow(steps.oneByOne, listRequest({ route: 'new' }));
}

/**
 * As many parallel requests as leave the tail. A bucket may refill as fast as
 * requests come one by one. Then the batch holds all that remains, what refills
 * during a round trip, and one request more.
 */
function batchSizeFor(current: readonly Exchange[], limits: Limits): number {
  const remaining = remainingQuota(current, limits.perMinute);
  const sentOneByOne = current.filter(({ step }) => step === steps.oneByOne).length;
  const refillsAsFast =
    sentOneByOne >= MOST_ONE_BY_ONE || current.length >= limits.perMinute + MOST_ONE_BY_ONE;
  if (!refillsAsFast) return Math.min(PARALLEL, remaining - tailOf(limits.perMinute));
  const last = current.at(-1);
  const roundTripMs = last === undefined ? 0 : last.received.mono - last.sent.mono;
  const refill = Math.ceil((limits.perMinute * roundTripMs) / minuteQuota(limits).windowMs);
  return Math.min(PARALLEL, remaining + refill + 1);
}

/** The remaining quota by our own count and by what the target advertises, whichever is lower. */
function remainingQuota(current: readonly Exchange[], perMinute: number): number {
  const advertised = remainingByTarget(current, perMinute);
  const byCount = perMinute - current.length;
  if (advertised === undefined) return byCount;
  return byCount > 0 ? Math.min(byCount, advertised) : advertised;
}

/** The last Remaining of the minute; undefined where the last reading describes another limit. */
function remainingByTarget(current: readonly Exchange[], perMinute: number): number | undefined {
  const reading = current.map(readingOf).findLast((one) => one !== undefined);
  return reading?.limit === perMinute ? reading.remaining : undefined;
}

function whyStop(pacer: Pacer, current: readonly Exchange[]): string | undefined {
  const { limits } = pacer;
  const { windowMs } = minuteQuota(limits);
  const [series = []] = seriesOf(current, limits);
  const over = overrunOf(series, limits);
  if (over !== undefined) {
    return `The target accepted ${over.accepted} requests where a conforming one accepts at most ${over.allowed}, so the run sent no more.`;
  }
  const passedMs = pacer.session.now().mono - (current[0]?.sent.mono ?? 0);
  const refill = Math.floor((limits.perMinute * passedMs) / windowMs);
  if (current.length > 2 * limits.perMinute + refill + UNCOUNTED) {
    return `The run sent ${current.length} requests without a 429 and without proof of an overrun, and sent no more.`;
  }
  if (passedMs > 2 * windowMs) {
    return `The target is slower than its window: ${current.length} requests took ${Math.round(passedMs / 1000)} s, and none got 429.`;
  }
  return undefined;
}
