import type { Quota } from '../quota.ts';
import { mostRefill } from '../quota.ts';
import { readingOf } from '../series/reading.ts';
import type { Series, SeriesStep } from '../series/series.ts';
import { beforeFirst429 } from '../series/series.ts';
import type { Transition } from '../series/transitions.ts';
import { allTransitions, transitionsBefore429, unaccountedGain } from '../series/transitions.ts';
import { showsRefilled } from '../untouched.ts';

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
  return impossibleGain(transitionsBefore429(series, quota.limit), quota, bulkRefillFrom(series, quota));
}

/** The same where the limit was full again in the middle of requests that were under way at the same time. */
export function refilledTooOften(series: Series, quota: Quota): Miscount | undefined {
  const before = beforeFirst429(series);
  const steps = before.map((step) => onlyRefilled(step, quota));
  if (steps.every((step, at) => step === before[at])) return undefined;
  return impossibleGain(allTransitions(steps, quota.limit), quota, bulkRefillFrom(series, quota));
}

/** A sliding log gives back in bulk from a window after the first request; milliseconds on the monotonic clock. */
const bulkRefillFrom = (series: Series, { windowMs }: Quota): number => (series[0]?.sent ?? 0) + windowMs;

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
      sum += unaccountedGain(change);
      largest = Math.max(largest, unaccountedGain(change));
      const span = change.to.exchange.received.mono - (early[first] as Transition).from.exchange.sent.mono;
      const unexplained = sum - largest - mostRefill(quota, span);
      if (unexplained > 0) return { changes: early.slice(first, last + 1), unexplained };
    }
  }
  return undefined;
}
