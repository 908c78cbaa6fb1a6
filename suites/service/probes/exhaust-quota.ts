import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { overrunOf } from '../../../kernel/rate-limits/bounds/overrun.ts';
import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import type { Series } from '../../../kernel/rate-limits/series.ts';
import { exchangesOf, mayCount, seriesOf } from '../../../kernel/rate-limits/series.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { createRequest, listRequest, unauthenticatedList } from './category-requests.ts';
import { isBaseline, preflight, sendBaselineAfterIdle } from './preflight.ts';
import type { Probe, RunInputs } from './probe.ts';
import {
  batchSizeFor,
  creationsWithin,
  exhaustingRequest,
  exhaustionSteps,
  isConclusive,
  isNearlyExhausted,
  isOpenCreation,
  nextOfTail,
  oneByOneOf,
  REST_WINDOWS,
  remainingByTarget,
  TAIL,
  tailOf,
  unexpectedText,
} from './quota-batches.ts';
import { nextStoredValue } from './stored-values.ts';

/** The probe starts in the current window where at most this share of it has passed since the baseline request. */
const LATEST_START = 1 / 3;

/** Earlier requests that may not count against the limit: those that are rejected as invalid. */
const UNCOUNTED = 60;

/** Most of a large quota in parallel, the rest one by one over new connections, until something is no success or more than any limiter accepts. */
export const exhaustQuota = {
  id: 'exhaust-quota',
  description: 'the remaining quota with lists and creations, and one creation more',
  steps: { ...exhaustionSteps, baselineAfterIdle: preflight.steps.baselineAfterIdle },
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
    if (pacer.isKeyStopped || (pacer.isRateLimited && pacer.smallBucket === undefined)) return;
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
    await pacer.sendWithKey(exhaustionSteps.mixedOperations, listRequest());
    await pacer.sendWithKey(exhaustionSteps.mixedOperations, createRequest(nextStoredValue(pacer, inputs)));
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
  const size = batchSizeFor(current.slice(startedAt), pacer.limits, pacer.smallBucket);
  if (size < 2) {
    const [step, request] = nextOfTail(pacer, inputs, current);
    const exchange = await pacer.sendWithKeyNow(step, request);
    return continues(pacer, [isConclusive(exchange) ? exchange : await sendAgain(pacer)]);
  }
  const requests = Array.from({ length: size }, (_, i) =>
    exhaustingRequest(pacer, inputs, { route: `parallel-${i + 1}` }, i),
  );
  const exchanges = await pacer.sendBatchWithKeyNow(exhaustionSteps.parallel, requests);
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
  const second = await pacer.sendWithKeyNow(exhaustionSteps.oneByOne, listRequest({ route: 'new' }));
  if (isConclusive(second)) return second;
  await pacer.sendOutsideQuota(exhaustionSteps.control, unauthenticatedList('none', { route: 'new' }));
  return pacer.sendWithKeyNow(exhaustionSteps.oneByOne, listRequest({ route: 'new' }));
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
