import { firstFrom, greatest, least } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { rateHeadersOf, secondsToReset } from '../../exchanges/rate-headers.ts';
import type { Quota } from '../quota.ts';
import { mostRefill } from '../quota.ts';
import type { Reading, Series, SeriesStep, Transition } from '../series.ts';
import {
  allTransitions,
  beforeFirst429,
  exchangesOf,
  fallBeyondUse,
  isJump,
  readingOf,
  surelyCounts,
  transitionsBefore429,
  unaccountedGain,
} from '../series.ts';
import type { Announcing, OneResetGroup } from './one-reset.ts';
import {
  advertisedBeyondOneReset,
  announcedTogether,
  announcingOf,
  announcingUndated,
  earliestResetOf,
  oneResetGroups,
  SURELY_REMEMBERED,
  showsNoRefill,
  standsStill,
} from './one-reset.ts';
import { showsRefilled, showsUntouched } from './windows.ts';

/** A quota that was full again before the Reset that its first request announced. */
export interface FullBeforeReset {
  /** The response that announces the Reset, from an untouched quota on. */
  readonly first: Exchange;
  readonly change: Transition;
  /** By how much that was earlier than the earliest moment that the Reset can mean, in milliseconds. */
  readonly earlyMs: number;
  /** The requests that surely count and were answered before that moment. */
  readonly accepted: readonly Exchange[];
}

/** The end of a window is rounded, and recomputed for each response: so much later than another one a Reset surely is another one, in seconds. */
const ANOTHER_RESET = 2;

/** More than a limiter that gives nothing back in its window shows by rounding or by a refund. */
const MORE_THAN_ROUNDING = 3;

/** A quota that is full and announces a later Reset before the one that it announced untouched: BOUNDS.md, "Full before Reset". */
export function fullBeforeReset(series: Series, quota: Quota): FullBeforeReset | undefined {
  const members = firstAnnounced(series, quota);
  const first = members?.[0]?.exchange;
  if (members === undefined || first === undefined) return undefined;
  const end = earliestResetOf(members, quota);
  const changes = transitionsBefore429(series, quota.limit);
  const sent = exchangesOf(series);
  const withoutRefill = showsNoRefill(members, sent, quota);
  const jumps = changes.filter(
    (change) => isJump(change, quota) || (withoutRefill && unaccountedGain(change) >= MORE_THAN_ROUNDING),
  );
  const change = jumps[0];
  if (change === undefined || !jumps.every((one) => beginsAnew(one, quota))) return undefined;
  // Counts of several operations or connections fall back to a count that stood elsewhere.
  if (changes.slice(changes.indexOf(change)).some((one) => fallBeyondUse(one) > 0)) return undefined;
  const earlyMs = end - change.to.exchange.received.mono;
  if (earlyMs <= 0) return undefined;
  const accepted = exchangesOf(beforeFirst429(series)).filter(
    (one) => surelyCounts(one) && one.received.mono < end,
  );
  return { first, change, earlyMs, accepted };
}

/** The responses that announce the Reset of the first one, where that one shows an untouched quota. */
function firstAnnounced(series: Series, quota: Quota): readonly Announcing[] | undefined {
  const reading = series[0]?.reading;
  if (!showsUntouched(reading, quota.limit) || !surelyCounts(reading.exchange)) return undefined;
  const sent = exchangesOf(beforeFirst429(series));
  const [members] = announcedTogether(sent, quota, announcingOf);
  return members?.[0]?.exchange === reading.exchange ? members : undefined;
}

function beginsAnew({ from, to }: Transition, quota: Quota): boolean {
  const resetOf = ({ exchange }: Reading): number => announcingUndated(exchange, quota)?.reset ?? Number.NaN;
  return showsRefilled(to, quota.limit) && resetOf(to) - resetOf(from) >= ANOTHER_RESET;
}

/** How far a Reset may jitter within one window, in seconds. */
const JITTER = 2;

/** What a single response shows: how much is missing, and how far ahead its Reset is, in seconds. */
interface Missing {
  readonly missing: number;
  readonly ahead: number;
  readonly reset: number;
  /** Milliseconds on our monotonic clock. */
  readonly at: number;
}

/** BOUNDS.md, "A Reset of up to two windows". @param slackSeconds what rounding and the clocks of one service add to a Reset. */
export function mayBeFullLater(series: readonly Series[], quota: Quota, slackSeconds: number): boolean {
  const shown = series.flatMap((one) => missingIn(one, quota));
  return mayBeCounter(shown, quota) || mayBeBucket(shown, quota, slackSeconds);
}

function missingIn(series: Series, { limit }: Quota): readonly Missing[] {
  return series.flatMap(({ reading, sent }) => {
    if (reading === undefined || reading.limit !== limit) return [];
    const { reset } = rateHeadersOf(reading.exchange);
    const ahead = secondsToReset(reading.exchange);
    return reset === undefined || ahead === undefined
      ? []
      : [{ missing: limit - reading.remaining, ahead, reset, at: sent }];
  });
}

/** A sliding counter announces the same end for all of a window, however much is missing. */
function mayBeCounter(shown: readonly Missing[], { windowMs }: Quota): boolean {
  const spanMs = greatest(shown.map(({ at }) => at)) - least(shown.map(({ at }) => at));
  let ends = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const reset of shown.map((one) => one.reset).sort((a, b) => a - b)) {
    if (reset <= end + JITTER) continue;
    ends += 1;
    end = reset;
  }
  return ends <= spanMs / windowMs + 2;
}

/** A bucket that refills in pieces of one size is full with the last piece that is missing. */
function mayBeBucket(shown: readonly Missing[], { limit, windowMs }: Quota, slackSeconds: number): boolean {
  const secondsEach = windowMs / 1000 / limit;
  for (let piece = 1; piece <= limit; piece += 1) {
    const fullAfter = (missing: number): number => Math.ceil((missing + 1) / piece) * piece * secondsEach;
    if (shown.every(({ missing, ahead }) => ahead <= fullAfter(missing) + slackSeconds)) return true;
  }
  return false;
}

/** A stretch of a series in which Remaining rose by more than any conforming limiter gives back. */
export interface Miscount {
  readonly changes: readonly Transition[];
  /** Requests that Remaining did not account for, beyond what may have flowed back. */
  readonly unexplained: number;
}

/** Finds a stretch before the first 429 whose gains no conforming limiter explains: BOUNDS.md, "Impossible gain". */
export function findMiscount(series: Series, quota: Quota): Miscount | undefined {
  const changes = transitionsBefore429(series, quota.limit);
  return impossibleGain(changes, quota, bulkRefillFrom(series, changes, quota));
}

/** Whether all readings before the first 429 belong to one count of every request. */
export const isOneExactCount = (series: Series, quota: Quota): boolean =>
  transitionsBefore429(series, quota.limit).every((change) => fallBeyondUse(change) === 0) &&
  findMiscount(series, quota) === undefined;

/** A miscount where the limit was full again in the middle of requests that were under way at the same time. */
export function refilledTooOften(series: Series, quota: Quota): Miscount | undefined {
  const before = beforeFirst429(series);
  const steps = before.map((step) => onlyRefilled(step, quota));
  if (steps.every((step, at) => step === before[at])) return undefined;
  const changes = allTransitions(steps, quota.limit);
  return impossibleGain(changes, quota, bulkRefillFrom(series, changes, quota));
}

/** Half a window after the first request (milliseconds, monotonic); never where more came back than a sliding window has to give. */
function bulkRefillFrom(series: Series, changes: readonly Transition[], { limit, windowMs }: Quota): number {
  const first = series[0];
  const from = (first?.sent ?? 0) + SURELY_REMEMBERED * windowMs;
  if (!showsUntouched(first?.reading, limit)) return from;
  const sent = series.flatMap(({ exchanges }) => exchanges.map((one) => one.sent.mono));
  let back = 0;
  const doesNotSlide = changes.some((change) => {
    back += unaccountedGain(change) - fallBeyondUse(change);
    const old = change.to.exchange.received.mono - SURELY_REMEMBERED * windowMs;
    return back > firstFrom(sent.length, (at) => (sent[at] as number) > old);
  });
  return doesNotSlide ? Number.POSITIVE_INFINITY : from;
}

/** Of requests without an order, the one that found the limit full: it came last. The others could make a gain larger than it is. */
function onlyRefilled(step: SeriesStep, { limit }: Quota): SeriesStep {
  const { exchanges } = step;
  const reading =
    exchanges.length === 1 ? undefined : exchanges.map(readingOf).find((one) => showsRefilled(one, limit));
  if (reading === undefined) return step;
  const { exchange } = reading;
  return { exchanges: [exchange], sent: exchange.sent.mono, received: exchange.received.mono, reading };
}

/** A stretch that is longer than this share of a window may contain the beginning of two windows. */
const LONGEST_STRETCH = 19 / 20;

/** The gains less the largest one must fit what flows back. @param end from when a log may give back in bulk (milliseconds, monotonic). */
export function impossibleGain(
  changes: readonly Transition[],
  quota: Quota,
  end: number,
): Miscount | undefined {
  const early = changes.filter((change) => change.to.exchange.received.mono <= end);
  // Where Remaining only falls, no later end of a stretch proves more.
  const rises = early.flatMap((change, at) => {
    const gain = unaccountedGain(change);
    return gain === 0 ? [] : [{ gain, at, received: change.to.exchange.received.mono }];
  });
  for (const [first, { from }] of early.entries()) {
    let sum = 0;
    let largest = 0;
    while ((rises[0]?.at ?? first) < first) rises.shift();
    for (const { gain, at: last, received } of rises) {
      const span = received - from.exchange.sent.mono;
      if (span > LONGEST_STRETCH * quota.windowMs) break;
      sum += gain;
      largest = Math.max(largest, gain);
      const unexplained = sum - largest - mostRefill(quota, span);
      if (unexplained > 0) return { changes: early.slice(first, last + 1), unexplained };
    }
  }
  return undefined;
}

/** What happened from one response to a request that surely counts to the next one. */
export interface Stretch {
  readonly fallen: number;
  readonly requests: number;
  readonly sure: number;
  /** Whether its first request surely counts. */
  readonly sound: boolean;
  /** Whether its last request surely counts. */
  readonly ended: boolean;
}

/** Joined where they end at a request that may be free or refunded: one is given back only after its response. */
export function stretchesOf(changes: readonly Transition[]): readonly Stretch[] {
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

/** Requests that are not sure to count, and that the headers show to be counted. */
export function countedBesides(stretches: readonly Stretch[]): number {
  const besides = ({ fallen, sure, requests }: Stretch): number =>
    Math.min(requests - sure, Math.max(0, fallen - sure));
  return stretches
    .filter(({ sound, ended }) => sound && ended)
    .reduce((sum, stretch) => sum + besides(stretch), 0);
}

/** A limiter that gives back in pieces may give one piece more than the time allows; each piece shows in a response. */
export const largestPiece = (stretches: readonly Stretch[]): number =>
  Math.max(0, greatest(stretches.map(({ sure, fallen }) => sure - fallen)));

/** What came back in stretches with requests that may count: a part of a larger piece may hide behind them. */
export const hiddenGains = (stretches: readonly Stretch[]): number =>
  stretches
    .filter(({ requests, sure }) => requests > sure)
    .reduce((sum, { sure, fallen }) => sum + Math.max(0, sure - fallen), 0);

/** A jump of Remaining that looks like a window which began anew, and is none: BOUNDS.md, "One announced Reset". */
export function findJumpWithinOneReset(series: Series, quota: Quota): Miscount | undefined {
  const changes = transitionsBefore429(series, quota.limit);
  if (!changes.some((change) => isJump(change, quota))) return undefined;
  for (const { members } of standingGroups(series, quota)) {
    const exchanges = members.map(({ exchange }) => exchange);
    const found = advertisedBeyondOneReset(exchanges, quota);
    if (found === undefined) continue;
    const gains = changes.filter(
      (change) =>
        unaccountedGain(change) > 0 &&
        exchanges.includes(change.from.exchange) &&
        exchanges.includes(change.to.exchange) &&
        change.from.exchange.sent.mono < found.last.received.mono,
    );
    if (!gains.some((change) => isJump(change, quota))) continue;
    return { changes: gains, unexplained: found.accepted + found.remaining - found.allowed };
  }
  return undefined;
}

/** Whether a single request did not lower Remaining although nothing flows back: then more than concurrency is miscounted. */
export function missesOneByOne(series: Series, quota: Quota): boolean {
  const groups = standingGroups(series, quota)
    .filter(({ withoutRefill }) => withoutRefill)
    .map(({ members }) => new Set(members.map(({ exchange }) => exchange)));
  return transitionsBefore429(series, quota.limit).some(
    (change) =>
      change.requests === 1 &&
      unaccountedGain(change) > 0 &&
      groups.some((group) => group.has(change.from.exchange) && group.has(change.to.exchange)),
  );
}

/** The requests before the first 429 that announce one Reset for longer than a Reset that moves with each response does. */
function standingGroups(series: Series, quota: Quota): readonly OneResetGroup[] {
  return oneResetGroups(exchangesOf(beforeFirst429(series)), quota).filter(({ members }) =>
    standsStill(members),
  );
}
