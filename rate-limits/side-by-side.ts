import type { Quota } from './accounting.ts';
import type { Series } from './series.ts';
import { surelyCounts } from './series.ts';

/** How unlikely it has to be that a single count and somebody else's requests hit where each count goes on. */
const CHANCE = 1e-4;

/** Counts that lie closer together than this cannot be told apart by one reading. */
const APART = 2;

/**
 * How many counts explain every single reading of a series that began
 * untouched, where there are several side by side, as where each worker keeps
 * its own and nothing that the client sends says which one answers. Each begins
 * at the whole limit and falls by one for each request; what was under way at
 * the same time, or has no reading, may have gone to any of them. Undefined
 * where one count would do, or where chance would.
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
    const whole = counts.length;
    // A request that was not accepted may be free.
    const free = surelyCounts(reading.exchange) ? undefined : counts.indexOf(remaining, 0);
    const gaps = [...counts, quota.limit].map((left) => left - 1 - remaining);
    const at = nearest(gaps, current) ?? -1;
    const gap = gaps[at] ?? Number.POSITIVE_INFINITY;
    if (gap > unread) {
      if (free === undefined || free === -1) return undefined;
      current = free;
      continue;
    }
    const left = counts[current];
    const apart = left !== undefined && Math.abs(left - remaining) >= APART;
    if (at !== whole && at !== current && apart)
      chance *= Math.min(1, ((counts.length - 1) * (unread + 1)) / quota.limit);
    unread -= gap;
    counts[at] = remaining;
    current = at;
  }
  return counts.length > 1 && chance <= CHANCE ? counts.length : undefined;
}

/** Where the least gap is that is none below zero; of several that are alike the one that was read last. */
function nearest(gaps: readonly number[], current: number): number | undefined {
  let found: number | undefined;
  for (const [at, gap] of gaps.entries()) {
    const best = found === undefined ? Number.POSITIVE_INFINITY : (gaps[found] ?? Number.POSITIVE_INFINITY);
    if (gap >= 0 && (gap < best || (gap === best && at === current))) found = at;
  }
  return found;
}
