import type { Exchange } from '../exchanges/exchange.ts';
import { greatest } from '../exchanges/extremes.ts';
import { answerOf } from '../exchanges/headers.ts';
import { readRateHeaders, secondsToReset } from '../exchanges/rate-headers.ts';
import type { Limits } from '../suites/model/journal.ts';
import type { Quota, Transition } from './accounting.ts';
import { gain, isJump, transitions } from './accounting.ts';
import type { Series, Step } from './series.ts';
import { isRateLimited, surelyCounts } from './series.ts';

/** More requests were accepted than any lawful limiter of this plan accepts. */
export interface Overrun {
  readonly accepted: number;
  readonly allowed: number;
  readonly milliseconds: number;
  readonly last: Exchange;
}

/** The plan's limit per minute as a quota. */
export const minuteQuota = (limits: Limits): Quota => ({
  limit: limits.perMinute,
  windowMs: limits.minuteSeconds * 1000,
});

/** The plan's limit per day as a quota. */
export const dayQuota = (limits: Limits): Quota => ({
  limit: limits.perDay,
  windowMs: limits.daySeconds * 1000,
});

/** A window's end and the answer's moment are each rounded to a second on their way here. */
const RESET_SLACK_MS = 2000;

/**
 * The first moment of the series at which more had been accepted than any
 * lawful limiter of this plan accepts. Each beginning of a series is judged by
 * itself: what comes later can only hide what was proven, never undo it.
 */
export function overrun(series: Series, limits: Limits): Overrun | undefined {
  let sent = 0;
  for (const [index, { exchanges }] of series.entries()) {
    sent += exchanges.length;
    const found = sent > limits.perMinute ? overrunBy(series.slice(0, index + 1), limits) : undefined;
    if (found !== undefined) return found;
    if (exchanges.some(isRateLimited)) return undefined;
  }
  return undefined;
}

/**
 * Whether the series as a whole was accepted beyond the limit, by the tightest
 * sound bound that its headers allow: without headers twice the limit (an
 * aligned window may turn over once); with headers that show no turn of the
 * window, the limit, what flows back in its time, and the largest piece of it;
 * exactly the limit once the headers have shown that nothing flows back.
 */
export function overrunBy(series: Series, limits: Limits): Overrun | undefined {
  const quota = minuteQuota(limits);
  const before = until429(series);
  const changes = transitions(series, limits.perMinute);
  const whole = beyond(before, 2 * quota.limit, quota) ?? crowd(series.at(-1), quota);
  if (whole !== undefined) return whole;
  const lastJump = changes.findLastIndex((change) => isJump(change, quota));
  // Before the first reading it may have turned over unseen, too.
  const start = changes[lastJump]?.to.exchange ?? firstReading(series, quota);
  if (start === undefined) return undefined;
  const segment = before.filter((exchange) => exchange.sent.mono >= start.sent.mono);
  const kept = changes.slice(lastJump + 1);
  const stretches = stretchesOf(kept);
  const besides = countedBesides(stretches);
  if (toldOfNone(segment, quota)) return beyond(segment, quota.limit, quota, besides);
  const last = changes.at(-1)?.to.exchange;
  if (last === undefined) return undefined;
  // After the last reading a window may have turned over unseen.
  const read = segment.filter((exchange) => exchange.sent.mono <= last.sent.mono);
  const burst = quota.limit + largestPiece(stretches);
  return exactly(segment, kept, quota) ?? beyond(read, burst, quota, besides);
}

/**
 * The bound for requests that were under way together, of which no single answer
 * says what was left before it: the limit, where all that were accepted announce
 * one and the same end, that end lies ahead of them, and nothing flows back in their time.
 */
function crowd(step: Step | undefined, quota: Quota): Overrun | undefined {
  const exchanges = step?.exchanges.filter((exchange) => !isRateLimited(exchange)) ?? [];
  const [first] = exchanges;
  if (first === undefined || exchanges.length <= quota.limit) return undefined;
  const resets = exchanges.map((exchange) => readRateHeaders(answerOf(exchange)?.headers ?? []));
  const alike = resets.every(({ limit, reset }) => limit === quota.limit && reset === resets[0]?.reset);
  return alike && toldOfNone(exchanges, quota) ? beyond(exchanges, quota.limit, quota) : undefined;
}

/** The first answer before a 429 that states this limit: of a burst whose answers overlap, it may be the only one. */
function firstReading(series: Series, { limit }: Quota): Exchange | undefined {
  const end = series.findIndex((step) => step.exchanges.some(isRateLimited));
  const step = series.slice(0, end === -1 ? undefined : end).find(({ reading }) => reading?.limit === limit);
  return step?.reading?.exchange;
}

/** Whether all of it came before anything flows back at the plan's rate, and before the Reset that the first answer announced. */
function toldOfNone(segment: readonly Exchange[], quota: Quota): boolean {
  const first = segment[0];
  const until = first === undefined ? undefined : announcedEnd(first);
  if (first === undefined || until === undefined) return false;
  const received = greatest(segment.map((one) => one.received.mono));
  return received < until && (received - first.sent.mono) * quota.limit < quota.windowMs;
}

function until429(series: Series): readonly Exchange[] {
  const end = series.findIndex((step) => step.exchanges.some(isRateLimited));
  const steps = end === -1 ? series : series.slice(0, end + 1);
  return steps.flatMap((step) => step.exchanges).filter((exchange) => !isRateLimited(exchange));
}

/** What happened from one answer to a request that surely counts to the next one. */
interface Stretch {
  readonly fallen: number;
  readonly requests: number;
  readonly sure: number;
  /** Its first and its last request surely count. */
  readonly sound: boolean;
  readonly ended: boolean;
}

/**
 * Transitions joined where they end at a request that may be free or given
 * back: a limiter that forgets refused requests gives one back only after its
 * answer.
 */
function stretchesOf(changes: readonly Transition[]): readonly Stretch[] {
  const found: Stretch[] = [];
  for (const { from, to, fallen, requests, sure } of changes) {
    const before = found.at(-1)?.ended === false ? found.pop() : undefined;
    found.push({
      fallen: fallen + (before?.fallen ?? 0),
      requests: requests + (before?.requests ?? 0),
      sure: sure + (before?.sure ?? 0),
      sound: before === undefined ? surelyCounts(from.exchange) : before.sound,
      ended: surelyCounts(to.exchange),
    });
  }
  return found;
}

/** Requests that were not surely counted and that the headers show to be: then they count for us, too. */
function countedBesides(stretches: readonly Stretch[]): number {
  const besides = ({ fallen, sure, requests }: Stretch): number =>
    Math.min(Math.max(0, fallen - sure), requests - sure);
  return stretches
    .filter(({ sound, ended }) => sound && ended)
    .reduce((sum, stretch) => sum + besides(stretch), 0);
}

/**
 * The most of what was surely used that a stretch has back at its end. What
 * flows back in pieces may bring one piece more than its time would, and each
 * piece shows in an answer.
 */
const largestPiece = (stretches: readonly Stretch[]): number =>
  Math.max(0, greatest(stretches.map(({ sure, fallen }) => sure - fallen)));

function beyond(
  exchanges: readonly Exchange[],
  burst: number,
  quota: Quota,
  besides = 0,
): Overrun | undefined {
  const last = exchanges.at(-1);
  const first = exchanges[0];
  if (first === undefined || last === undefined) return undefined;
  const milliseconds = greatest(exchanges.map((one) => one.received.mono)) - first.sent.mono;
  const allowed = burst + Math.floor((quota.limit * milliseconds) / quota.windowMs);
  const total = exchanges.filter(surelyCounts).length + besides;
  return total > allowed ? { accepted: total, allowed, milliseconds, last } : undefined;
}

/**
 * The bound without any flow back, once a long enough stretch has shown that
 * there is none; until the first announced Reset. What flows back in pieces
 * may pause for as long, but then two or more come back at once where that
 * many are missing, and where fewer are the limit is whole again: there the
 * count begins anew.
 */
function exactly(
  segment: readonly Exchange[],
  changes: readonly Transition[],
  quota: Quota,
): Overrun | undefined {
  const whole = changes.findLastIndex(
    (change) => gain(change) > 0 && change.to.remaining >= quota.limit - change.requests - 1,
  );
  const kept = changes.slice(whole + 1);
  const stretches = stretchesOf(kept);
  const start = changes[whole]?.to.exchange ?? segment[0];
  if (start === undefined || largestPiece(stretches) > 1 || !showsNoRegain(kept, quota)) return undefined;
  const until = announcedEnd(start);
  if (until === undefined) return undefined;
  const early = segment.filter(
    (exchange) => exchange.sent.mono >= start.sent.mono && exchange.received.mono < until,
  );
  const last = early.at(-1);
  const total = early.filter(surelyCounts).length + countedBesides(stretches) - hiddenGains(stretches);
  if (last === undefined || total <= quota.limit) return undefined;
  return { accepted: total, allowed: quota.limit, milliseconds: last.received.mono - start.sent.mono, last };
}

/** What came back where requests that may count stand between: part of a larger piece may hide behind them. */
const hiddenGains = (stretches: readonly Stretch[]): number =>
  stretches
    .filter(({ requests, sure }) => requests > sure)
    .reduce((sum, { sure, fallen }) => sum + Math.max(0, sure - fallen), 0);

/** Whether Remaining fell by exactly what was sent for longer than a bucket takes to give one back. */
function showsNoRegain(changes: readonly Transition[], quota: Quota): boolean {
  const enoughMs = (1.05 * quota.windowMs) / quota.limit;
  let since: number | undefined;
  for (const { from, to, fallen, requests } of changes) {
    since = fallen === requests ? (since ?? from.exchange.received.mono) : undefined;
    if (since !== undefined && to.exchange.sent.mono - since >= enoughMs) return true;
  }
  return false;
}

/** When the window announced by this answer ends at the earliest, milliseconds on our monotonic clock. */
function announcedEnd(exchange: Exchange): number | undefined {
  const seconds = secondsToReset(answerOf(exchange));
  return seconds === undefined ? undefined : exchange.sent.mono + seconds * 1000 - RESET_SLACK_MS;
}
