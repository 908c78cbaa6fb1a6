import type { Quota } from '../quota.ts';
import { surelyCounts } from '../series/keyed-requests.ts';
import type { Series } from '../series/series.ts';

/** The highest probability at which a single count and another client's requests may hit where each count goes on. */
const MOST_CHANCE = 1e-4;

/** One reading cannot tell counts apart that lie closer together than this. */
const APART = 2;

/**
 * How many counts explain every single reading of a series that began untouched, where there are several side by side,
 * as where each worker keeps its own and nothing that the client sends says which one answers. Each begins at the full
 * limit and falls by one for each request; a request without an order or without a reading may have gone to any of
 * them. Undefined where one count would do, or chance would. Derivation: BOUNDS.md, "Counts side by side".
 */
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
    const free = surelyCounts(reading.exchange) ? undefined : counts.indexOf(remaining, 0);
    const gaps = [...counts, quota.limit].map((count) => count - 1 - remaining);
    const at = nearest(gaps, current) ?? -1;
    const gap = gaps[at] ?? Number.POSITIVE_INFINITY;
    if (gap > unread) {
      if (free === undefined || free === -1) return undefined;
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
  return counts.length > 1 && chance <= MOST_CHANCE ? counts.length : undefined;
}

/** The index of the least gap that is not negative; of equal ones the count that was read last. */
function nearest(gaps: readonly number[], current: number): number | undefined {
  let found: number | undefined;
  for (const [at, gap] of gaps.entries()) {
    const best = found === undefined ? Number.POSITIVE_INFINITY : (gaps[found] ?? Number.POSITIVE_INFINITY);
    if (gap >= 0 && (gap < best || (gap === best && at === current))) found = at;
  }
  return found;
}
