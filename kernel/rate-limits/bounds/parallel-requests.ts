import { greatest, least } from '../../exchanges/collections.ts';
import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import type { Quota } from '../quota.ts';
import { mostRefill } from '../quota.ts';
import type { Series, Transition } from '../series.ts';
import { isJump, readingOf, surelyCounts, transitionsBefore429, unaccountedGain } from '../series.ts';

/** What Remaining shows of requests that were sent at the same time. */
export interface ParallelRequests {
  /** The transitions that lead over such requests. */
  readonly crossed: readonly Transition[];
  /** Those in which more came back than flows back in their time. */
  readonly jumped: readonly Transition[];
}

/** Finds every transition of a series that leads over requests sent at the same time. Pure. */
export function parallelRequestsOf(series: Series, quota: Quota): ParallelRequests {
  const parallel = series.filter(({ exchanges }) => exchanges.length > 1);
  const crossed = transitionsBefore429(series, quota.limit).filter(({ through }) =>
    parallel.some(({ exchanges }) => exchanges.some((exchange) => through.includes(exchange))),
  );
  return { crossed, jumped: crossed.filter((change) => isJump(change, quota)) };
}

/** A window begins anew at one moment, so one jump among several transitions is no sign of it. */
export const mayBeUndercounted = ({ crossed, jumped }: ParallelRequests): boolean =>
  jumped.length > 1 || (jumped.length === 1 && crossed.length === 1);

/** Whether all transitions over single requests fit: then a miscount of the series is one of its parallel requests. */
export function countsExactlyOneByOne(series: Series, quota: Quota): boolean {
  const parallel = series.filter((step) => step.exchanges.length > 1);
  if (parallel.length === 0) return false;
  const leadsOver = ({ from, to }: Transition): boolean =>
    parallel.some(
      (step) => step.sent >= from.exchange.sent.mono && step.received <= to.exchange.received.mono,
    );
  const single = transitionsBefore429(series, quota.limit).filter((change) => !leadsOver(change));
  const gains = single.map(unaccountedGain);
  const anew = Math.max(0, greatest(single.filter((change) => isJump(change, quota)).map(unaccountedGain)));
  const first = single[0]?.from.exchange.sent.mono ?? 0;
  const span = (single.at(-1)?.to.exchange.received.mono ?? 0) - first;
  const total = gains.reduce((sum, one) => sum + one, 0);
  return total - anew <= mostRefill(quota, span);
}

/** Whether requests that were sent at the same time show a value of Remaining each, one after another: then none was lost. */
export const countsEachAtOnce = (series: Series): boolean =>
  series.every(({ exchanges }) => {
    const readings = exchanges
      .filter((exchange) => !isRateLimited(exchange))
      .map((exchange) => readingOf(exchange)?.remaining ?? Number.NaN);
    return (
      readings.length < 2 ||
      (new Set(readings).size === readings.length &&
        greatest(readings) - least(readings) === readings.length - 1)
    );
  });

/** The highest probability at which a single count and another client's requests may hit where each count goes on. */
const MOST_CHANCE = 1e-4;

/** One reading cannot tell counts apart that lie closer together than this. */
const APART = 2;

/** How many counts explain every reading, where one would not, nor chance: BOUNDS.md, "Counts side by side". */
export function countsSideBySide(series: Series, quota: Quota): number | undefined {
  const counts: number[] = [];
  let current = -1;
  let unread = 0;
  let chance = 1;
  for (const { exchanges, reading } of series) {
    if (reading?.limit !== quota.limit) {
      unread += exchanges.length;
      continue;
    }
    const { remaining } = reading;
    const fresh = counts.length;
    // A request that was not accepted may be free.
    const free = surelyCounts(reading.exchange) ? -1 : counts.indexOf(remaining);
    const gaps = [...counts, quota.limit].map((count) => count - 1 - remaining);
    const at = nearest(gaps, current);
    const gap = gaps[at] ?? Number.POSITIVE_INFINITY;
    if (gap > unread) {
      if (free === -1) return undefined;
      current = free;
      continue;
    }
    const last = counts[current];
    const apart = last !== undefined && Math.abs(last - remaining) >= APART;
    if (at !== fresh && at !== current && apart)
      chance *= Math.min(1, ((counts.length - 1) * (unread + 1)) / quota.limit);
    unread -= gap;
    counts[at] = remaining;
    current = at;
  }
  return chance <= MOST_CHANCE ? counts.length : undefined;
}

/** The index of the least gap that is not negative, or -1; of equal ones the count that was read last. */
function nearest(gaps: readonly number[], current: number): number {
  let found = -1;
  for (const [at, gap] of gaps.entries()) {
    const best = gaps[found] ?? Number.POSITIVE_INFINITY;
    if (gap >= 0 && (gap < best || (gap === best && at === current))) found = at;
  }
  return found;
}
