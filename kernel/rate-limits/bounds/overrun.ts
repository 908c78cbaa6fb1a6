import type { Limits } from '../../../spec/plans.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import type { Quota } from '../quota.ts';
import { minuteQuota } from '../quota.ts';
import { surelyCounts } from '../series/keyed-requests.ts';
import type { Series } from '../series/series.ts';
import { beforeFirst429, exchangesOf, upToFirst429 } from '../series/series.ts';
import { isJump, transitionsBefore429 } from '../series/transitions.ts';
import type { Overrun } from './accepted-bound.ts';
import { beyondLimitBeforeRefill, beyondLimitWithoutRefill } from './exact-limit.ts';
import { beyondLimitPlusRefill } from './limit-plus-refill.ts';
import { beyondOneReset } from './one-reset.ts';
import { beyondLimitInParallel } from './parallel-burst.ts';
import { shownToCount, stretchesOf } from './stretches.ts';
import { beyondTwiceTheLimit } from './twice-the-limit.ts';

/**
 * The first moment of the series at which more had been accepted than any
 * conforming limiter of this plan accepts. Each beginning of a series is judged
 * by itself: what comes later can only hide what was proven, never undo it.
 */
export function firstOverrun(series: Series, limits: Limits): Overrun | undefined {
  let sent = 0;
  for (const [index, { exchanges }] of series.entries()) {
    sent += exchanges.length;
    const found = sent > limits.perMinute ? overrunOf(series.slice(0, index + 1), limits) : undefined;
    if (found !== undefined) return found;
    if (exchanges.some(isRateLimited)) return undefined;
  }
  return undefined;
}

/**
 * Whether the series up to its first 429 was accepted beyond the limit, by the
 * tightest bound that its headers permit. Each bound is derived in BOUNDS.md.
 */
export function overrunOf(series: Series, limits: Limits): Overrun | undefined {
  const quota = minuteQuota(limits);
  const served = exchangesOf(upToFirst429(series)).filter((exchange) => !isRateLimited(exchange));
  return (
    beyondTwiceTheLimit(served, quota) ??
    beyondLimitInParallel(series.at(-1), quota) ??
    beyondLimitOfLastWindow(series, served, quota)
  );
}

/** The bounds for what came since the headers last showed a window that began anew. */
function beyondLimitOfLastWindow(
  series: Series,
  served: readonly Exchange[],
  quota: Quota,
): Overrun | undefined {
  const changes = transitionsBefore429(series, quota.limit);
  const lastJump = changes.findLastIndex((change) => isJump(change, quota));
  // Before the first reading a window may have begun anew unseen, too.
  const start = changes[lastJump]?.to.exchange ?? firstReading(series, quota);
  if (start === undefined) return undefined;
  const segment = served.filter((exchange) => exchange.sent.mono >= start.sent.mono);
  const since = changes.slice(lastJump + 1);
  const stretches = stretchesOf(since);
  const early = beyondLimitBeforeRefill(segment, stretches, quota);
  if (early !== 'open') return early;
  // What another fault explains, such as separate counters, shows as a jump: only what came after it counts.
  const shown = shownToCount(stretches);
  const counts = (one: Exchange): boolean => surelyCounts(one) || shown.has(one);
  const underOneReset = beyondOneReset(segment, quota, counts);
  const last = changes.at(-1)?.to.exchange;
  if (last === undefined || underOneReset !== undefined) return underOneReset;
  // After the last reading a window may have begun anew unseen.
  const read = segment.filter((exchange) => exchange.sent.mono <= last.sent.mono);
  return beyondLimitWithoutRefill(segment, since, quota) ?? beyondLimitPlusRefill(read, stretches, quota);
}

/** The first response before a 429 that states this limit: of a burst whose responses overlap, it may be the only one. */
const firstReading = (series: Series, { limit }: Quota): Exchange | undefined =>
  beforeFirst429(series).find(({ reading }) => reading?.limit === limit)?.reading?.exchange;
