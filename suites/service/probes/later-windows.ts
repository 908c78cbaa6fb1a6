import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { secondsToReset } from '../../../kernel/exchanges/rate-headers.ts';
import type { First429 } from '../../../kernel/rate-limits/attribution.ts';
import { answeredBefore429, causeOf429, first429Of } from '../../../kernel/rate-limits/attribution.ts';
import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import type { Series } from '../../../kernel/rate-limits/series.ts';
import { mayCount, ofKey, readingOf, seriesOf } from '../../../kernel/rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { hasToWaitWithoutKey } from '../pacing/pacer.ts';
import type { InvalidCredential } from '../wire/keyring.ts';
import { listRequest, parallelLists, unauthenticatedList } from './category-requests.ts';
import {
  creationsWithin,
  currentUse,
  exhaustQuota,
  MOST_ONE_BY_ONE,
  oneByOneOf,
  parallelOf,
  remainingByTarget,
  sendPastLimit,
  tailOf,
} from './exhaust-quota.ts';
import { preflight, startFromFullQuota } from './preflight.ts';
import type { Probe } from './probe.ts';
import { recovery, sendAfterRetryAfter } from './recovery.ts';

/** Lists with the key (.) and with similar keys, without a period: another client falls where these are by chance alone. */
const ORDER = '....~..~....+.-.+.-..+.-.......-.+...~.+....-.+.+.~......~.-.-.~.....~...';

const SIMILAR_KEYS: ReadonlyMap<string, InvalidCredential> = new Map([
  ['-', 'key without its last character'],
  ['+', 'key with one character more'],
  ['~', 'key with other last characters'],
]);

/** What is enforced once, or differs after the first window, shows now. A similar key must neither use the quota nor restore it. */
export const secondWindow = {
  id: 'second-window',
  description: 'the limit again, over new connections, between requests with a similar key',
  steps: {
    ...preflight.steps,
    ...exhaustQuota.steps,
    ...recovery.steps,
    newConnection: 'over a new connection, between requests with a similar key',
    similarKey: 'a similar key between requests with the key',
  },
  cost({ thorough, limits: { perMinute } }) {
    if (!thorough) return null;
    const order = orderFor(perMinute);
    const unauthenticated = [...order].filter((kind) => SIMILAR_KEYS.has(kind)).length;
    const remaining = perMinute - 1 - (order.length - unauthenticated);
    const categoriesCreated = creationsWithin(oneByOneOf(remaining, perMinute));
    return { withKey: perMinute + 2, unauthenticated, categoriesCreated };
  },
  async run(pacer, inputs) {
    if (!isWorthwhile(pacer)) return;
    if (!(await startFromFullQuota(pacer, 'the limit is tested again in a second window'))) return;
    await sendBetweenSimilarKeys(pacer);
    await sendPastLimit(pacer, inputs);
    await sendAfterRetryAfter(pacer, inputs);
  },
} as const satisfies Probe;

/** Whether the first window ended in a 429: without one, a further window shows no more than the first. */
const isWorthwhile = ({ isKeyStopped, session }: Pacer): boolean =>
  !isKeyStopped &&
  session.exchanges.some((exchange) => exchange.probe === exhaustQuota.id && isRateLimited(exchange));

/** The part of the order that leaves the end of the quota, with the request that exceeds it, to `sendPastLimit`. */
function orderFor(perMinute: number): string {
  const keyed = [...ORDER].flatMap((kind, at) => (kind === '.' ? [at] : []));
  return ORDER.slice(0, keyed[perMinute - 1 - tailOf(perMinute)]);
}

async function sendBetweenSimilarKeys(pacer: Pacer): Promise<void> {
  const { newConnection, similarKey } = secondWindow.steps;
  for (const kind of orderFor(pacer.limits.perMinute)) {
    if (pacer.isKeyStopped) return;
    const similar = SIMILAR_KEYS.get(kind);
    if (similar !== undefined) {
      const request = unauthenticatedList(similar, { route: 'new' });
      if (!hasToWaitWithoutKey(pacer)) await pacer.sendOutsideQuotaAndRetry(similarKey, request);
      continue;
    }
    const exchange = await pacer.sendWithKeyNow(newConnection, listRequest({ route: 'new' }));
    if (isRateLimited(exchange)) return;
  }
}

const EARLY_SHARE = 1 / 3;

/** A pause in which a bucket surely gives one request back, in times of what it takes to. */
const REFILL_PAUSE = 1.1;

/** The most requests around the end of the window, one after another. */
const MOST_AROUND_END = 25;
const AROUND_END_SHARE = 5 / 12;

/** How long before and after the end of the window these are sent, as parts of a window. */
const AROUND_END = { before: 2 / 15, after: 1 / 60 } as const;

/** Reset and Date are each rounded to a second, in milliseconds. */
const ROUNDING_MS = 1000;

/** A sliding counter has forgotten so much of the early requests by then that the last ones fit; so has a window of a few steps. */
const PAST_WINDOW = 1 / 4;

/** And the requests around the end, the same, by this part of a window. */
const AFTER_END = 1 / 15;

/** The most windows in which a 429 is sought that only the target or another client of the key explains. */
export const MOST_EDGE_ROUNDS = 3;

/** No conforming limiter has a 429 for any of the three parts. One that the run's own requests do not explain is repeated. */
export const thirdWindow = {
  id: 'third-window',
  description: 'requests early in a window, around its end, and after it',
  steps: {
    ...preflight.steps,
    early: 'early in the window',
    aroundEnd: 'around the end of the window',
    pastWindow: 'after the window has passed',
  },
  cost: ({ thorough, limits }) => (thorough ? { withKey: limits.perMinute + 1 } : null),
  async run(pacer, { exclusiveKey }) {
    if (!isWorthwhile(pacer)) return;
    for (let round = 0; round < (exclusiveKey ? 1 : MOST_EDGE_ROUNDS); round += 1) {
      const because = 'requests around the end of a window need a full quota before';
      if (!(await startFromFullQuota(pacer, because))) return;
      await sendAcrossEnd(pacer);
      if (countsOlderRequests(currentUse(pacer), pacer.session.exchanges, pacer.limits) === undefined) return;
    }
  },
} as const satisfies Probe;

/** The first 429 that counts requests of the whole run, some of them older than a window: BOUNDS.md, "A 429 that no conforming limiter sends". */
export function countsOlderRequests(
  series: Series,
  exchanges: readonly Exchange[],
  limits: Limits,
): First429 | undefined {
  const limited = first429Of(series);
  if (limited === undefined) return undefined;
  const { answered, expected } = answeredBefore429(series, limited, minuteQuota(limits));
  const before = limited.before.map(readingOf).findLast((reading) => reading?.limit === limits.perMinute);
  const counting = mayCount(exchanges);
  const use = { exchanges: counting, series: seriesOf(counting, limits) };
  const cause = causeOf429(use, limited.exchange, limits);
  return answered >= expected && before?.remaining === 0 && cause === 'target' ? limited : undefined;
}

async function sendAcrossEnd(pacer: Pacer): Promise<void> {
  const { perMinute, minuteSeconds } = pacer.limits;
  const baseline = pacer.session.exchanges.at(-1);
  if (baseline === undefined) return;
  const windowMs = minuteSeconds * 1000;
  const early = Math.floor(perMinute * EARLY_SHARE);
  // A bucket gives one back meanwhile: the next Remaining tells it from a window, whose Reset is then known to be its end.
  await pacer.session.pause((REFILL_PAUSE * minuteSeconds) / perMinute);
  if (!(await usePart(pacer, thirdWindow.steps.early, early - 1))) return;
  const last = pacer.session.exchanges.at(-1) ?? baseline;
  const end = endOfWindow(pacer, baseline, last);
  const because = 'the next requests come shortly before the window ends';
  await pacer.session.waitUntil(end - leadMs(windowMs), because);
  const around = Math.min(MOST_AROUND_END, Math.floor(perMinute * AROUND_END_SHARE));
  const sent = await sendAround(pacer, end, around);
  if (sent === undefined) return;
  const past = last.received.mono + (1 + PAST_WINDOW) * windowMs + ROUNDING_MS;
  await pacer.session.waitUntil(
    Math.max(past, pacer.session.now().mono + AFTER_END * windowMs),
    'the last requests come when the early ones are older than a window',
  );
  if (pacer.session.now().mono - baseline.sent.mono > 2 * windowMs) return;
  await usePart(pacer, thirdWindow.steps.pastWindow, perMinute + 1 - early - sent);
}

const leadMs = (windowMs: number): number => AROUND_END.before * windowMs + ROUNDING_MS;

/** Milliseconds on the monotonic clock; by the baseline request where Reset describes no window of a minute. */
function endOfWindow({ limits, session }: Pacer, baseline: Exchange, last: Exchange): number {
  const windowMs = limits.minuteSeconds * 1000;
  const ahead = readingOf(last)?.limit === limits.perMinute ? secondsToReset(last) : undefined;
  const isOfMinute = ahead !== undefined && ahead >= 0 && ahead * 1000 <= windowMs + 2 * ROUNDING_MS;
  let end = isOfMinute ? last.sent.mono + ahead * 1000 : baseline.sent.mono + windowMs;
  while (end - leadMs(windowMs) < session.now().mono) end += windowMs;
  return end;
}

/** Sends requests at even distances from before the end of the window to after it. How many were sent; undefined after a 429. */
async function sendAround(pacer: Pacer, end: number, most: number): Promise<number | undefined> {
  const { session, limits } = pacer;
  const windowMs = limits.minuteSeconds * 1000;
  const from = end - leadMs(windowMs);
  const until = end + AROUND_END.after * windowMs + ROUNDING_MS;
  for (let i = 0; i < most; i += 1) {
    const pause = from + (i * (until - from)) / Math.max(1, most - 1) - session.now().mono;
    if (pause > 0) await session.pause(pause / 1000);
    if (i > 0 && session.now().mono > until + ROUNDING_MS) return i;
    const request = listRequest(i % 3 === 2 ? { route: 'new' } : {});
    if (isRateLimited(await pacer.sendWithKeyNow(thirdWindow.steps.aroundEnd, request))) return undefined;
  }
  return most;
}

/** Uses a part of the quota: in parallel while most of a large part is left, then one by one. False after a 429. */
async function usePart(pacer: Pacer, step: string, requests: number): Promise<boolean> {
  const { perMinute } = pacer.limits;
  for (let unsent = requests; unsent > 0; ) {
    const advertised = remainingByTarget(ofKey(pacer.session.exchanges), perMinute) ?? unsent;
    const size = unsent > MOST_ONE_BY_ONE ? parallelOf(Math.min(unsent, advertised), perMinute) : 1;
    const batch = size > 1 ? parallelLists(size) : [listRequest()];
    const exchanges = await pacer.sendBatchWithKeyNow(step, batch);
    if (exchanges.some(isRateLimited)) return false;
    unsent -= batch.length;
  }
  return true;
}
