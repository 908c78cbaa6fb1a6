import { greatest } from '../../exchanges/collections.ts';
import type { Quota } from '../quota.ts';
import { mostRefill } from '../quota.ts';
import type { Series } from '../series/series.ts';
import type { Transition } from '../series/transitions.ts';
import { isJump, transitionsBefore429, unaccountedGain } from '../series/transitions.ts';

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

/**
 * Whether requests that were sent at the same time may not all have been
 * counted, although nothing proves it. A window begins anew at one moment, so
 * that one jump among several transitions proves nothing.
 */
export const mayBeUndercounted = ({ crossed, jumped }: ParallelRequests): boolean =>
  jumped.length > 1 || (jumped.length === 1 && crossed.length === 1);

/**
 * Whether the transitions that lead over no parallel requests are all within
 * the bound: their gains flow back in the time, or a window began anew once.
 * Then a miscount of the series is one of its parallel requests.
 */
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
