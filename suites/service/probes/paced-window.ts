import { greatest, least } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { accepted, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { answeredBefore429, first429Of } from '../../../kernel/rate-limits/attribution.ts';
import { showsRefilled } from '../../../kernel/rate-limits/bounds/windows.ts';
import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import { exchangesOf, ofKey, readingOf, seriesOf } from '../../../kernel/rate-limits/series.ts';
import { waitScale, waitSeconds429 } from '../../../kernel/rate-limits/waits.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { createRequest, listRequest } from './category-requests.ts';
import { durationOf, exhaustsQuota } from './exhaust-quota.ts';
import type { Probe } from './probe.ts';
import { usesOf } from './recount.ts';
import { recovery, refill } from './recovery.ts';
import { nextStoredValue } from './stored-values.ts';

/** So many more requests than the limit: a window that is longer than the plan's ends within them. */
const BEYOND_LIMIT = 5;

/** The time between a response and the next request, in intervals: a little more than one, because clocks differ. */
const SPACING = 1.02;

/** Seconds by which a wait must exceed the window: less may be rounding. */
const LONGER_SECONDS = 3;

/** The requests take no longer than this many windows: over a slow link they would show another rate than the plan's. */
const MOST_WINDOWS = 1.5;

/** Above this share of the limit, the pace does not tell a lower limit from a bucket, unless Remaining never shows more. */
const SURELY_FEWER = 9 / 10;

/** More requests than the limit at the pace of the plan: a limiter that keeps its rate accepts them all, however few it holds at once. */
export const pacedWindow = {
  id: 'paced-window',
  description: 'requests at the pace of the plan, where a 429 asked for more than a window, or came early',
  steps: { paced: 'at the pace of the plan' },
  async run(pacer, inputs) {
    const { session, limits } = pacer;
    if (pacer.isKeyStopped || pacer.isRateLimited) return;
    const early = smallBurst(session.exchanges, limits);
    const burst = early !== undefined && retryOf(early, session.exchanges).some(accepted) ? early : undefined;
    if (burst === undefined && !isOpen(session.exchanges, limits)) return;
    const { limit, windowMs } = minuteQuota(limits);
    const creations = burst === undefined ? 0 : creationsAfter(burst);
    const requests = requestsAfter(burst, limits);
    const mostMs = MOST_WINDOWS * windowMs * Math.max(1, Math.round(requests / limit));
    const startedAt = session.now().mono;
    let sentAt = startedAt;
    for (let sent = 0; sent < requests; sent += 1) {
      // A bucket of one needs the pause after the response; any other one keeps up with the pace on a slow link, too.
      const since = (burst?.held ?? 1) > 1 ? session.now().mono - sentAt : 0;
      const pauseMs = Math.max(0, (SPACING * windowMs) / limit - since);
      await session.wait(pauseMs / 1000, 'requests come at the pace of the plan');
      sentAt = session.now().mono;
      if (sentAt - startedAt > mostMs) return;
      // At most one edge of an aligned window divides requests in a row.
      const request = sent < creations ? createRequest(nextStoredValue(pacer, inputs)) : listRequest();
      if (!accepted(await pacer.sendWithKeyNow(pacedWindow.steps.paced, request))) return;
    }
  },
} as const satisfies Probe;

/** An edge between two windows may divide them: the larger part is more than a small burst; otherwise two windows are filled. */
const requestsAfter = (burst: SmallBurst | undefined, { perMinute }: Limits): number =>
  (burst === undefined || burst.answered <= perMinute / 2 ? 1 : 2) * perMinute + BEYOND_LIMIT;

/** An edge between two windows may divide these creations, and the larger part is more than those of the burst. */
const creationsAfter = ({ creations }: SmallBurst): number => 2 * creations + 1;

/** A burst of far fewer requests than the limit, by count or by Remaining, that ended in a 429 about up to a window. */
interface SmallBurst {
  readonly limited: Exchange;
  readonly answered: number;
  /** The most that the target showed to hold at once: less than were answered where some flowed back meanwhile. */
  readonly held: number;
  /** The creations in it, those with an invalid body as well: a limit of creations counts them, too. */
  readonly creations: number;
}

/** The first stretch of use that ended so; undefined where none did. */
function smallBurst(exchanges: readonly Exchange[], limits: Limits): SmallBurst | undefined {
  const keyed = ofKey(exchanges);
  for (const series of seriesOf(keyed, limits)) {
    const first = first429Of(series);
    if (first === undefined || waitScale(first.exchange, limits) !== 'window') continue;
    const { answered, expected } = answeredBefore429(series, first, minuteQuota(limits));
    if (answered >= expected) continue;
    const held = Math.min(answered, mostShown(first.before, limits));
    if (held > SURELY_FEWER * limits.perMinute) continue;
    const creations = first.before.filter(({ request }) => request.method === 'POST').length;
    return { limited: first.exchange, answered, held, creations };
  }
  return undefined;
}

/** With the one that it came with. A slow service accepts more than its bucket holds, because it gives some back meanwhile. */
function mostShown(exchanges: readonly Exchange[], { perMinute }: Limits): number {
  const shown = exchanges
    .map(readingOf)
    .flatMap((reading) => (reading?.limit === perMinute ? [reading.remaining] : []));
  return shown.length === 0 ? perMinute : greatest(shown) + 1;
}

/** What the key sent after the 429 of a burst, in the order of sending. */
const retryOf = ({ limited }: SmallBurst, exchanges: readonly Exchange[]): readonly Exchange[] =>
  ofKey(exchanges).filter(({ sent }) => sent.mono > limited.received.mono);

/** Whether the last 429 asked for more than a window, the key recovered, and no response shows a full quota a window later. */
function isOpen(exchanges: readonly Exchange[], limits: Limits): boolean {
  const keyed = exchanges.filter(({ caller }) => caller === 'key');
  const limited = keyed.findLast(isRateLimited);
  if (limited === undefined) return false;
  const isLonger = (waitSeconds429(limited) ?? 0) > limits.minuteSeconds + LONGER_SECONDS;
  const recovered = keyed.some(
    (one) => one.probe === recovery.id && one.sent.mono > limited.received.mono && accepted(one),
  );
  const later = keyed.find(({ step }) => step === refill.steps.windowLater);
  return isLonger && recovered && !showsRefilled(later && readingOf(later), limits.perMinute);
}

/** What requests at the pace of the plan show after a burst of far fewer requests than the limit. */
export type PaceAfterBurst =
  /** None was sent although the target responded to the request before, or one got 429. */
  | 'nothing'
  /** None got 429, and too few were accepted, because the target was slow or did not respond. */
  | 'too few'
  | 'kept';

/** Whether the target accepted as many requests at the pace of the plan as tell a small bucket from a lower limit, with more creations in one window than the burst had. */
export function paceAfterBurst(exchanges: readonly Exchange[], limits: Limits): PaceAfterBurst {
  const burst = smallBurst(exchanges, limits);
  const paced = exchanges.filter(({ probe }) => probe === pacedWindow.id);
  if (burst === undefined || paced.some(isRateLimited)) return 'nothing';
  if (paced.length === 0) {
    const [retry] = retryOf(burst, exchanges);
    const isLost = retry !== undefined && statusOf(retry) === undefined;
    return isLost ? 'too few' : 'nothing';
  }
  const enough = paced.length >= requestsAfter(burst, limits) && fewestInWindow(paced, limits) > burst.held;
  if (keptPace(exchanges, limits) === undefined || !enough) return 'too few';
  const created = paced.filter(({ request }) => request.method === 'POST').length;
  return created >= creationsAfter(burst) ? 'kept' : 'nothing';
}

/** The requests at the pace of the plan, where more than the limit were sent and all were accepted; else undefined. */
export function keptPace(
  exchanges: readonly Exchange[],
  { perMinute }: Limits,
): readonly Exchange[] | undefined {
  const paced = exchanges.filter(({ probe }) => probe === pacedWindow.id);
  return paced.length > perMinute && paced.every(accepted) ? paced : undefined;
}

/** The fewest of these requests that any window holds which lies within them: on a slow link fewer than at the pace of the plan. */
function fewestInWindow(paced: readonly Exchange[], limits: Limits): number {
  const { windowMs } = minuteQuota(limits);
  const times = paced.map(({ sent }) => sent.mono);
  const last = greatest(times);
  const starts = times.filter((time) => time + windowMs <= last);
  return least([
    paced.length,
    ...starts.map((start) => times.filter((time) => time > start && time <= start + windowMs).length),
  ]);
}

/** The pause that makes requests one after another last longer than a batch did, as a factor of its duration. */
const LONGER = 2;

/** As many requests at once as the full bucket holds and one more, then one by one, then at once: more only at once is not counted. */
export const fullBurst = {
  id: 'full-burst',
  description: 'requests at the same time from a full bucket, where the target is a small one',
  steps: {
    together: 'at the same time from a full bucket',
    apart: 'one after another from a full bucket',
    togetherAgain: 'at the same time from a full bucket, again',
  },
  async run(pacer) {
    const counted = heldBySmallBucket(pacer.session.exchanges, pacer.limits);
    if (counted === undefined) return;
    const held = Math.min(counted, pacer.bucket.capacity ?? counted);
    await fill(pacer);
    const first = await sendTogether(pacer, fullBurst.steps.together, held + 1);
    if (first.length === 0 || !first.every(accepted)) return;
    await fill(pacer);
    const apart = await sendApart(pacer, counted + 1, durationOf(first));
    await fill(pacer);
    await waitHalfAnIntervalOff(pacer, first);
    await sendTogether(pacer, fullBurst.steps.togetherAgain, apart + 1);
  },
} as const satisfies Probe;

/** As many as were answered from a full quota, one by one. A lower first Remaining decides, because a bucket refills meanwhile. */
function heldBySmallBucket(exchanges: readonly Exchange[], limits: Limits): number | undefined {
  const use = usesOf(exchanges, limits).findLast(({ series }) => exchangesOf(series).some(exhaustsQuota));
  if (use?.limited === undefined || !use.untouched) return undefined;
  const { before, exchange } = use.limited;
  const oneByOne = use.series.every((step) => step.exchanges.length === 1);
  const isBucket =
    waitScale(exchange, limits) === 'next request' || keptPace(exchanges, limits) !== undefined;
  if (!oneByOne || !isBucket || before.length >= limits.perMinute) return undefined;
  const shown = readingOf(use.first);
  const advertised =
    shown?.limit === limits.perMinute && shown.remaining > 0 ? shown.remaining + 1 : before.length;
  return Math.min(before.length, advertised);
}

/** A bucket is full after a window, whatever it holds. */
const fill = (pacer: Pacer): Promise<boolean> =>
  pacer.leaveKeyIdle(1, 'the bucket has to be full before it is used in parallel, or in comparison');

async function sendTogether(pacer: Pacer, step: string, count: number): Promise<readonly Exchange[]> {
  if (pacer.isKeyStopped) return [];
  const requests = Array.from({ length: count }, () => listRequest({ route: 'new' }));
  return pacer.sendBatchWithKeyNow(step, requests);
}

/** No more after a 429. All but the first come later than a batch lasted. Returns how many were accepted. */
async function sendApart(pacer: Pacer, most: number, batchMs: number): Promise<number> {
  const exchanges: Exchange[] = [];
  while (exchanges.length < most && !pacer.isKeyStopped) {
    if (exchanges.length === 1)
      await pacer.session.wait(
        (LONGER * batchMs) / 1000,
        'the requests at the same time took longer than one',
      );
    const exchange = await pacer.sendWithKeyNow(fullBurst.steps.apart, listRequest({ route: 'new' }));
    exchanges.push(exchange);
    if (isRateLimited(exchange)) break;
  }
  return exchanges.filter(accepted).length;
}

/** Waits until the next batch lies half an interval off the first one: a limit per second, aligned to the clock, begins anew within one of them at most. */
async function waitHalfAnIntervalOff(pacer: Pacer, first: readonly Exchange[]): Promise<void> {
  const { limit, windowMs } = minuteQuota(pacer.limits);
  const interval = windowMs / limit;
  const since = pacer.session.now().mono - least(first.map(({ sent }) => sent.mono));
  const offMs = interval - ((since + interval / 2) % interval);
  await pacer.session.wait(offMs / 1000, 'the same requests come at another moment of a second');
}
