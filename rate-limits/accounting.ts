import type { Exchange } from '../exchanges/exchange.ts';
import type { Reading, Series, Step } from './series.ts';
import { beforeFirst429, isWhole, readingOf, surelyCounts } from './series.ts';

/** How fast any lawful limiter gives back, and how much it holds: the plan's number over its window. */
export interface Quota {
  readonly limit: number;
  readonly windowMs: number;
}

/** What happened to Remaining between two readings that state the same limit. */
export interface Transition {
  readonly from: Reading;
  readonly to: Reading;
  /** The keyed requests after `from`, up to and with `to`. */
  readonly through: readonly Exchange[];
  /** How many they are. */
  readonly requests: number;
  /** Those that surely count. */
  readonly sure: number;
  /** How far Remaining fell; negative where it rose. */
  readonly fallen: number;
  /** The longest that can have passed between the two decisions, in milliseconds. */
  readonly atMostMs: number;
  /** The shortest that can have passed between them, in milliseconds. */
  readonly atLeastMs: number;
}

/** The transitions between consecutive readings that state `limit`, before the first 429. */
export function transitions(series: Series, limit: number): readonly Transition[] {
  return changesOf(beforeFirst429(series), limit);
}

/** The transitions between consecutive readings that state `limit`, a 429 among them. */
export function changesOf(series: Series, limit: number): readonly Transition[] {
  const found: Transition[] = [];
  let from: { readonly step: Step; readonly reading: Reading; readonly at: number } | undefined;
  for (const [at, step] of series.entries()) {
    const { reading } = step;
    if (reading === undefined || reading.limit !== limit) continue;
    if (from !== undefined) {
      const through =
        at === from.at + 1
          ? step.exchanges
          : series.slice(from.at + 1, at + 1).flatMap((one) => one.exchanges);
      found.push(transition(from.step, from.reading, through, step, reading));
    }
    from = { step, reading, at };
  }
  return found;
}

function transition(
  start: Step,
  from: Reading,
  through: readonly Exchange[],
  end: Step,
  to: Reading,
): Transition {
  return {
    from,
    to,
    through,
    requests: through.length,
    sure: through.filter(surelyCounts).length,
    fallen: from.remaining - to.remaining,
    atMostMs: end.received - start.sent,
    atLeastMs: end.sent - start.received,
  };
}

/** What a limiter that gives back continuously may have given back in this time, and one for rounding. */
export function regain(quota: Quota, milliseconds: number): number {
  return Math.ceil((quota.limit * Math.max(0, milliseconds)) / quota.windowMs) + 1;
}

/**
 * How much more is left than exact accounting allows, at the least: requests
 * that were not accepted may be free, and a refused creation may be refunded
 * in the answer after it.
 */
export function gain(change: Transition): number {
  const refund = surelyCounts(change.from.exchange) ? 0 : 1;
  return Math.max(0, change.sure - change.fallen - refund);
}

/** Whether more came back at once than flows back in that time: a window that began anew, or a miscount. */
export const isJump = (change: Transition, quota: Quota): boolean =>
  gain(change) > regain(quota, change.atMostMs);

/** Remaining fell by more than was sent. */
export const excess = (change: Transition): number => Math.max(0, change.fallen - change.requests);

/** A stretch of the series in which more came back than any lawful limiter gives. */
export interface Miscount {
  readonly changes: readonly Transition[];
  /** Requests that Remaining did not account for, beyond what may have flowed back. */
  readonly unexplained: number;
}

/**
 * Finds a stretch whose gains no lawful limiter explains. A window that begins
 * anew, or a refill in one piece, may land once at any moment, so the largest
 * gain of a stretch is free; the others must fit what flows back in its time.
 * Sound for windows, logs, counters and buckets, within one window of the
 * first request (a log gives back in bulk after that).
 */
export function miscount(series: Series, quota: Quota): Miscount | undefined {
  return impossibleGain(transitions(series, quota.limit), quota, bulkFrom(series, quota));
}

/** The same where the limit was whole again in the middle of requests that were under way at the same time. */
export function wholeTooOften(series: Series, quota: Quota): Miscount | undefined {
  const before = beforeFirst429(series);
  const steps = before.map((step) => wholeWithin(step, quota));
  if (steps.every((step, at) => step === before[at])) return undefined;
  return impossibleGain(changesOf(steps, quota.limit), quota, bulkFrom(series, quota));
}

const bulkFrom = (series: Series, { windowMs }: Quota): number => (series[0]?.sent ?? 0) + windowMs;

/**
 * Of requests without an order the one that found the limit whole again, if one
 * did: it came after all that was answered before, whatever came between. The
 * others are left out, so that a gain is never taken for more than it is.
 */
function wholeWithin(step: Step, { limit }: Quota): Step {
  const { exchanges } = step;
  const reading =
    exchanges.length === 1 ? undefined : exchanges.map(readingOf).find((one) => isWhole(one, limit));
  if (reading === undefined) return step;
  const { exchange } = reading;
  return { exchanges: [exchange], sent: exchange.sent.mono, received: exchange.received.mono, reading };
}

/** The same for any transitions; `end` is the moment from which a log may give back in bulk, milliseconds on the monotonic clock. */
export function impossibleGain(
  changes: readonly Transition[],
  quota: Quota,
  end: number,
): Miscount | undefined {
  const early = changes.filter((change) => change.to.exchange.received.mono <= end);
  for (let first = 0; first < early.length; first += 1) {
    let sum = 0;
    let largest = 0;
    for (let last = first; last < early.length; last += 1) {
      const change = early[last] as Transition;
      sum += gain(change);
      largest = Math.max(largest, gain(change));
      const span = change.to.exchange.received.mono - (early[first] as Transition).from.exchange.sent.mono;
      const unexplained = sum - largest - regain(quota, span);
      if (unexplained > 0) return { changes: early.slice(first, last + 1), unexplained };
    }
  }
  return undefined;
}

/** The exchanges that a series of transitions rests on. */
export function cited(changes: readonly Transition[]): readonly Exchange[] {
  const exchanges = new Set<Exchange>();
  for (const { from, to } of changes) exchanges.add(from.exchange).add(to.exchange);
  return [...exchanges];
}
