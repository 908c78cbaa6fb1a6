import { greatest } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { secondsToReset } from '../../../kernel/exchanges/rate-headers.ts';
import { showsRefilled } from '../../../kernel/rate-limits/bounds/windows.ts';
import type { Series } from '../../../kernel/rate-limits/series.ts';
import {
  exchangesOf,
  readingOf,
  seriesOf,
  stepsOf,
  upToFirst429,
} from '../../../kernel/rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { ProbeRequest } from '../wire/session.ts';
import type { Route } from '../wire/wire.ts';
import { categoryNamer, createRequest, listRequest, parallelLists } from './category-requests.ts';
import { exhaustQuota, isConclusive } from './exhaust-quota.ts';
import { isBaseline } from './preflight.ts';
import type { Probe, RunInputs } from './probe.ts';

/** In the same order, at the same time and over new connections where it was so. Stops at a 429. */
export async function replay(pacer: Pacer, inputs: RunInputs, series: Series): Promise<void> {
  for (const { exchanges } of upToFirst429(series).slice(1)) {
    if (pacer.isKeyStopped || pacer.isRateLimited) return;
    const name = categoryNamer(pacer, inputs);
    const sent = pacer.session.exchanges.length;
    const [first, ...others] = exchanges.map((one, i) =>
      again(pacer, one, name(`like-${sent + i}`), exchanges.length === 1 ? 'kept' : `parallel-${i + 1}`),
    );
    if (first === undefined) continue;
    const step = first.method === 'POST' ? exhaustQuota.steps.creation : exhaustQuota.steps.oneByOne;
    if (others.length === 0) await pacer.sendWithKeyNow(step, first);
    else await pacer.sendBatchWithKeyNow(exhaustQuota.steps.parallel, [first, ...others]);
  }
}

/** The same request once more: a creation perhaps by this name, and over this connection unless it was a new one. */
function again(pacer: Pacer, one: Exchange, name: string, kept: Route = 'kept'): ProbeRequest {
  const { method, target, body, headers } = one.request;
  const more = {
    path: target.slice(pacer.session.basePath.length),
    route: one.connection.fresh ? 'new' : kept,
  } as const;
  if (method !== 'POST') return listRequest(more);
  const isNew = isDocumentedOperation(one) && (accepted(one) || isRateLimited(one));
  if (isNew || body === null || body.encoding !== 'utf8') return createRequest({ name }, more);
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return createRequest(body.text, { ...more, contentType: type ?? null });
}

/** At once again where nothing of the service answered, and one more after a 429: servers may round the wait down. */
export const recovery = {
  id: 'recovery',
  description: 'one list after Retry-After has passed',
  steps: {
    afterRetryAfter: 'after Retry-After',
    afterSecondRetryAfter: 'after the second Retry-After',
  },
  cost: () => ({ withKey: 1 }),
  run: sendAfterRetryAfter,
} as const satisfies Probe;

/** Sends a list after Retry-After has passed, and once more where that gets 429; what was rate-limited where quota remained. */
export async function sendAfterRetryAfter(pacer: Pacer, inputs: RunInputs): Promise<void> {
  if (!pacer.isRateLimited) return;
  const limited = withKey(pacer).findLast(isRateLimited);
  const ofAnotherLimit = limited !== undefined && showsQuota(limited, pacer.limits);
  const request = (): ProbeRequest =>
    ofAnotherLimit
      ? again(pacer, limited, categoryNamer(pacer, inputs)(`like-${pacer.session.exchanges.length}`))
      : listRequest();
  const sent = await pacer.sendWithKey(recovery.steps.afterRetryAfter, request());
  const showsNothing = sent !== undefined && !isConclusive(sent) && !pacer.isKeyStopped;
  // At once: a later request does not show whether the wait was long enough.
  const first = showsNothing ? await pacer.sendWithKeyNow(recovery.steps.afterRetryAfter, request()) : sent;
  if (first === undefined || !isRateLimited(first)) return;
  await pacer.sendWithKey(recovery.steps.afterSecondRetryAfter, request());
}

/** Whether a 429 shows that quota of the minute remains: its limit may be one of the operation, and another one shows nothing of it. */
export function showsQuota(limited: Exchange, { perMinute }: Limits): boolean {
  const reading = readingOf(limited);
  return reading?.limit === perMinute && reading.remaining > 0;
}

/** A window that begins this much earlier than announced, in seconds, proves nothing. */
const EARLY_SLACK_SECONDS = 3;

/** Requests between two refills of a bucket, so that the second refill shows although the bucket fills meanwhile. */
const REQUESTS_BETWEEN_REFILLS = 12;

/** Seconds and requests that clocks and rounding may hide at the end of a window. */
const SPARE_SECONDS = 4;
const SPARE_REQUESTS = 6;

const PARALLEL = 16;

/** The probe waits for what a bucket gives back in this many request intervals, this often: one refill may come in one piece. */
const BUCKET_INTERVALS = 6;
const BUCKET_ROUNDS = 4;

/** Windows in a row, of which each may be shorter than the plan's by less than clocks and rounding hide at one end. */
const WINDOWS_IN_A_ROW = 2;

/** Seconds that are added to Reset, which may be rounded down. */
const RESET_MARGIN_SECONDS = 1;

/** Further waits show a shorter window or a faster bucket; a second window without 429 tells a penalty from a longer window. */
export const refill = {
  id: 'refill',
  description: 'how fast the quota comes back, where it came back early or late',
  steps: {
    use: 'requests between two refills',
    windowLater: 'one window after the quota was used',
    nextWindow: 'in the next announced window',
    afterPause: 'after a short pause',
  },
  async run(pacer) {
    if (recoveredLate(pacer)) return measureWholeWindow(pacer);
    const recovered = earlyRecovery(pacer);
    if (recovered === undefined) return;
    if (showsRefilled(readingOf(recovered), pacer.limits.perMinute))
      await measureNextWindow(pacer, recovered);
    else await measureBucket(pacer);
  },
} as const satisfies Probe;

const withKey = ({ session }: Pacer): readonly Exchange[] =>
  session.exchanges.filter(({ caller }) => caller === 'key');

function earlyRecovery(pacer: Pacer): Exchange | undefined {
  const keyed = withKey(pacer);
  const baseline = keyed.findLast(isBaseline);
  const last = keyed.at(-1);
  if (baseline === undefined || last?.probe !== recovery.id || !accepted(last)) return undefined;
  const passed = (last.received.mono - baseline.sent.mono) / 1000;
  const reading = readingOf(last);
  const early = passed < pacer.limits.minuteSeconds - EARLY_SLACK_SECONDS;
  return early && reading?.limit === pacer.limits.perMinute ? last : undefined;
}

/** More than a window was asked, and the quota was nearly untouched after it. After few requests a full quota meets the next 429. */
function recoveredLate(pacer: Pacer): boolean {
  const keyed = withKey(pacer);
  const last = keyed.at(-1);
  const limited = keyed.findLast(isRateLimited);
  if (last?.probe !== recovery.id || limited === undefined) return false;
  const { minuteSeconds, perMinute } = pacer.limits;
  const late = last.sent.mono - limited.received.mono > (minuteSeconds + EARLY_SLACK_SECONDS) * 1000;
  const used = seriesOf(keyed, pacer.limits)
    .filter((series) => series.some(({ exchanges }) => exchanges.includes(limited)))
    .flatMap((series) => exchangesOf(series).filter(accepted));
  const atEnd = used.length > perMinute / 2;
  return late && atEnd && accepted(last) && showsRefilled(readingOf(last), perMinute);
}

/** Uses the full quota except for one request, and sends one a window later: a longer window gives back less by then. */
async function measureWholeWindow(pacer: Pacer): Promise<void> {
  await useQuota(pacer, pacer.limits.perMinute - 2);
  if (pacer.isRateLimited) return;
  await pacer.session.wait(
    pacer.limits.minuteSeconds + RESET_MARGIN_SECONDS,
    'the 429 asked for more than a window, so the window itself is measured',
  );
  await pacer.sendWithKeyNow(refill.steps.windowLater, listRequest());
}

/** Only where the target itself announces the next window earlier than a whole one from now. */
async function measureNextWindow(pacer: Pacer, recovered: Exchange): Promise<void> {
  const seconds = secondsToReset(recovered) ?? 0;
  const { perMinute, minuteSeconds } = pacer.limits;
  if (seconds <= 0 || seconds > minuteSeconds - EARLY_SLACK_SECONDS) return;
  // More than a bucket gives back until then: only a new window gives back more.
  const bucketRefill = (perMinute * (seconds + SPARE_SECONDS)) / minuteSeconds;
  const enough = Math.ceil(bucketRefill) + SPARE_REQUESTS;
  const windows = enough <= perMinute ? 1 : WINDOWS_IN_A_ROW;
  for (let window = 0; window < windows && !pacer.isRateLimited; window += 1)
    await crossNextWindow(pacer, seconds, enough);
}

async function crossNextWindow(pacer: Pacer, seconds: number, requests: number): Promise<void> {
  await useQuota(pacer, requests);
  if (pacer.isRateLimited) return;
  await pacer.session.wait(
    seconds + RESET_MARGIN_SECONDS,
    'the target announces its next window earlier than a whole window after the last one',
  );
  await pacer.sendWithKeyNow(refill.steps.nextWindow, listRequest());
}

async function measureBucket(pacer: Pacer): Promise<void> {
  const seconds = (BUCKET_INTERVALS * pacer.limits.minuteSeconds) / pacer.limits.perMinute;
  for (let round = 0; round < BUCKET_ROUNDS; round += 1) {
    await pacer.session.wait(seconds, 'the quota that comes back in this time shows how fast it refills');
    const exchange = await pacer.sendWithKeyNow(refill.steps.afterPause, listRequest());
    if (showsRefilled(readingOf(exchange), pacer.limits.perMinute))
      await useQuota(pacer, REQUESTS_BETWEEN_REFILLS);
    if (pacer.isRateLimited) return;
  }
}

/** Uses a part of the quota. The last request goes out alone, so that its response shows the remaining quota. */
async function useQuota(pacer: Pacer, most: number): Promise<void> {
  const together = servedTogether(pacer);
  for (let unsent = Math.min(most, pacer.limits.perMinute - 1); unsent > 1; ) {
    const parallel = Math.min(together, unsent - 1);
    const exchanges = await pacer.sendBatchWithKeyNow(refill.steps.use, parallelLists(parallel));
    if (exchanges.some(isRateLimited)) return;
    unsent -= parallel;
  }
  await pacer.sendWithKeyNow(refill.steps.use, listRequest());
}

/** How many requests go out together: where some of several were rate-limited before, perhaps by a limit of requests in flight, as many as were all accepted. */
function servedTogether(pacer: Pacer): number {
  const steps = stepsOf(withKey(pacer));
  const isPartlyLimited = steps.some(
    ({ exchanges }) => exchanges.some(accepted) && exchanges.some(isRateLimited),
  );
  if (!isPartlyLimited) return PARALLEL;
  const served = steps.filter(({ exchanges }) => exchanges.every(accepted));
  return Math.min(PARALLEL, Math.max(1, greatest(served.map(({ exchanges }) => exchanges.length))));
}
