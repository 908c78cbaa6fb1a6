import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import type { First429 } from '../../../kernel/rate-limits/attribution/early-429.ts';
import { first429Of } from '../../../kernel/rate-limits/attribution/early-429.ts';
import type { Discrepancy } from '../../../kernel/rate-limits/explanation.ts';
import { explainDiscrepancy } from '../../../kernel/rate-limits/explanation.ts';
import type { Quota } from '../../../kernel/rate-limits/quota.ts';
import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import { mayCount } from '../../../kernel/rate-limits/series/keyed-requests.ts';
import { readingOf } from '../../../kernel/rate-limits/series/reading.ts';
import type { Series } from '../../../kernel/rate-limits/series/series.ts';
import { seriesOf } from '../../../kernel/rate-limits/series/series.ts';
import { showsUntouched } from '../../../kernel/rate-limits/untouched.ts';
import type { Limits } from '../../../spec/plans.ts';
import { isBaselineAfterIdle } from './preflight.ts';
import { spendsDay } from './spend-day.ts';

/** One stretch of use of the key under test, without an idle window in it. */
export interface Use {
  readonly series: Series;
  readonly first: Exchange;
  /** Whether the full quota was available when the stretch began, whatever the algorithm. */
  readonly untouched: boolean;
  readonly limited: First429 | undefined;
}

/** Every stretch of use of the key under test among these exchanges. */
export function usesOf(exchanges: readonly Exchange[], limits: Limits): readonly Use[] {
  return seriesOf(mayCount(exchanges.filter((one) => !spendsDay(one))), limits).flatMap((series) => {
    const first = series[0]?.exchanges[0];
    return first === undefined
      ? []
      : [{ series, first, untouched: untouched(first, limits.perMinute), limited: first429Of(series) }];
  });
}

/** Whether its first response, or two idle windows before it, show an untouched quota. */
const untouched = (first: Exchange, perMinute: number): boolean =>
  isBaselineAfterIdle(first) || showsUntouched(readingOf(first), perMinute);

/** The share of the quota that is missing at the beginning of a stretch where a log may hold many requests of another client. */
const MUCH = 1 / 4;

/**
 * The stretches before which another client used much of the quota. The same
 * Remaining at each beginning is the target's own, and so may a 0 be, which a
 * target shows that never raises it again.
 */
function usedByAnother(uses: readonly Use[], { limit }: Quota): ReadonlySet<Use> {
  const begun = new Map(uses.map((use) => [use, readingOf(use.first)] as const));
  const values = new Set([...begun.values()].flatMap((reading) => reading?.remaining ?? []));
  const isMuch = (use: Use): boolean => {
    const reading = begun.get(use);
    if (reading?.limit !== limit) return false;
    return reading.remaining > 0 && reading.remaining < (1 - MUCH) * limit;
  };
  return new Set(values.size > 1 ? uses.filter(isMuch) : []);
}

/** Where Remaining does not follow the requests, for every stretch that shows it. */
export function discrepancies(
  exchanges: readonly Exchange[],
  limits: Limits,
  exclusive: boolean,
): readonly (Discrepancy & { readonly use: Use })[] {
  const quota = minuteQuota(limits);
  const uses = usesOf(exchanges, limits);
  const used = usedByAnother(exclusive ? [] : uses, quota);
  const others = exchanges.filter(({ caller }) => caller !== 'key' && caller !== 'unspecified');
  const everywhere = uses.map(({ series }) => series);
  return uses.flatMap((use, index) => {
    // A sliding log that was in use before gives back many requests at once. Every later stretch follows a window that this run left idle.
    if ((index === 0 && !use.untouched) || used.has(use)) return [];
    const found = explainDiscrepancy(use.series, quota, { others, everywhere, exclusive });
    return found === undefined ? [] : [{ ...found, use }];
  });
}
