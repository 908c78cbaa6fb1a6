import type { Exchange } from '../../exchanges/exchange.ts';
import type { First429 } from '../../rate-limits/attribution/early-429.ts';
import { first429Of } from '../../rate-limits/attribution/early-429.ts';
import type { Discrepancy } from '../../rate-limits/explanation.ts';
import { explainDiscrepancy } from '../../rate-limits/explanation.ts';
import { minuteQuota } from '../../rate-limits/quota.ts';
import { ofKey } from '../../rate-limits/series/keyed-requests.ts';
import { readingOf } from '../../rate-limits/series/reading.ts';
import type { Series } from '../../rate-limits/series/series.ts';
import { seriesOf } from '../../rate-limits/series/series.ts';
import type { Transition } from '../../rate-limits/series/transitions.ts';
import { transitionsBefore429 } from '../../rate-limits/series/transitions.ts';
import { showsUntouched } from '../../rate-limits/untouched.ts';
import type { Limits } from '../../spec/plans.ts';
import { BASELINE_AFTER_IDLE } from './preflight.ts';

/** How the examined key was used, in stretches without an idle window. */
export interface Use {
  readonly series: Series;
  readonly first: Exchange;
  /** Nothing counted against the limit when the stretch began, whatever the algorithm. */
  readonly untouched: boolean;
  readonly limited: First429 | undefined;
}

/** Every stretch of use of the examined key among these exchanges. */
export function usesOf(exchanges: readonly Exchange[], limits: Limits): readonly Use[] {
  return seriesOf(ofKey(exchanges), limits).flatMap((series) => {
    const first = series[0]?.exchanges[0];
    return first === undefined
      ? []
      : [{ series, first, untouched: untouched(first, limits.perMinute), limited: first429Of(series) }];
  });
}

/** Fresh by its own first answer, or by two idle windows before it. */
const untouched = (first: Exchange, perMinute: number): boolean =>
  first.step === BASELINE_AFTER_IDLE || showsUntouched(readingOf(first), perMinute);

/** Where Remaining does not follow the requests, of every stretch that shows it. */
export function discrepancies(
  exchanges: readonly Exchange[],
  limits: Limits,
  exclusive: boolean,
): readonly (Discrepancy & { readonly use: Use })[] {
  const quota = minuteQuota(limits);
  const uses = usesOf(exchanges, limits);
  const unauthenticated = exchanges.filter(({ caller }) => caller === 'unauthenticated');
  const everywhere: readonly Transition[] = uses.flatMap(({ series }) =>
    transitionsBefore429(series, quota.limit),
  );
  return uses.flatMap((use, index) => {
    // A log that was in use before the run gives back in bulk; every later stretch follows an idle window.
    if (index === 0 && !use.untouched) return [];
    const found = explainDiscrepancy(use.series, quota, { unauthenticated, everywhere, exclusive });
    return found === undefined ? [] : [{ ...found, use }];
  });
}
