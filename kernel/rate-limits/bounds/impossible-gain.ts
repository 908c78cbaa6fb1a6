import type { Quota } from '../quota.ts';
import { mostRefill } from '../quota.ts';
import { readingOf } from '../series/reading.ts';
import type { Series, SeriesStep } from '../series/series.ts';
import { beforeFirst429 } from '../series/series.ts';
import type { Transition } from '../series/transitions.ts';
import {
  allTransitions,
  fallBeyondUse,
  transitionsBefore429,
  unaccountedGain,
} from '../series/transitions.ts';
import { showsRefilled, showsUntouched } from '../untouched.ts';

/** A stretch of a series in which Remaining rose by more than any conforming limiter gives back. */
export interface Miscount {
  readonly changes: readonly Transition[];
  /** Requests that Remaining did not account for, beyond what may have flowed back. */
  readonly unexplained: number;
}

/**
 * Finds a stretch before the first 429 whose gains no conforming limiter
 * explains. Derivation: BOUNDS.md, "Impossible gain".
 */
export function findMiscount(series: Series, quota: Quota): Miscount | undefined {
  const changes = transitionsBefore429(series, quota.limit);
  return impossibleGain(changes, quota, bulkRefillFrom(series, changes, quota));
}

/** The same where the limit was full again in the middle of requests that were under way at the same time. */
export function refilledTooOften(series: Series, quota: Quota): Miscount | undefined {
  const before = beforeFirst429(series);
  const steps = before.map((step) => onlyRefilled(step, quota));
  if (steps.every((step, at) => step === before[at])) return undefined;
  const changes = allTransitions(steps, quota.limit);
  return impossibleGain(changes, quota, bulkRefillFrom(series, changes, quota));
}

/** A window that slides in steps gives a request back after this share of its length at the earliest. */
const LEAST_AGE = 1 / 2;

/**
 * From when on a window that slides gives back in bulk, milliseconds on the
 * monotonic clock: half a window after the first request. Never where the series
 * shows that its limiter is none: from an untouched limit on, more came back
 * than it has requests that are old enough.
 */
function bulkRefillFrom(series: Series, changes: readonly Transition[], { limit, windowMs }: Quota): number {
  const first = series[0];
  const from = (first?.sent ?? 0) + LEAST_AGE * windowMs;
  if (!showsUntouched(first?.reading, limit)) return from;
  const sent = series.flatMap(({ exchanges }) => exchanges.map((one) => one.sent.mono));
  let back = 0;
  const doesNotSlide = changes.some((change) => {
    back += unaccountedGain(change) - fallBeyondUse(change);
    const old = change.to.exchange.received.mono - LEAST_AGE * windowMs;
    return back > sent.filter((moment) => moment <= old).length;
  });
  return doesNotSlide ? Number.POSITIVE_INFINITY : from;
}

/**
 * Of requests without an order, the one that found the limit full again, if one
 * did: it came after everything that was answered before. The others are left
 * out, so that a gain is never taken for more than it is.
 */
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

/**
 * The bound itself, for any transitions in their order: of each stretch the sum of the gains, less the
 * largest one, must fit what flows back in its time.
 * @param end the moment from which a log may give back in bulk, milliseconds on the monotonic clock.
 */
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
      const span = change.to.exchange.received.mono - (early[first] as Transition).from.exchange.sent.mono;
      if (span > LONGEST_STRETCH * quota.windowMs) break;
      sum += unaccountedGain(change);
      largest = Math.max(largest, unaccountedGain(change));
      const unexplained = sum - largest - mostRefill(quota, span);
      if (unexplained > 0) return { changes: early.slice(first, last + 1), unexplained };
    }
  }
  return undefined;
}
