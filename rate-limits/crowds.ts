import type { Quota, Transition } from './accounting.ts';
import { isJump, transitions } from './accounting.ts';
import type { Series } from './series.ts';

/** What Remaining shows of requests that were sent at the same time. */
export interface Crowds {
  /** The transitions that lead over such requests. */
  readonly crossed: readonly Transition[];
  /** Those in which more came back than flows back in their time. */
  readonly jumped: readonly Transition[];
}

/** Finds every transition of a series that leads over requests sent at the same time. Pure. */
export function crowdsOf(series: Series, quota: Quota): Crowds {
  const crowds = series.filter(({ exchanges }) => exchanges.length > 1);
  const crossed = transitions(series, quota.limit).filter(({ through }) =>
    crowds.some(({ exchanges }) => exchanges.some((exchange) => through.includes(exchange))),
  );
  return { crossed, jumped: crossed.filter((change) => isJump(change, quota)) };
}

/**
 * Whether requests that were sent at the same time may not all have been
 * counted, although nothing proves it. A window begins anew at one moment, so
 * that one jump among several proves nothing and excuses the others.
 */
export const maybeLost = ({ crossed, jumped }: Crowds): boolean =>
  jumped.length > 1 || (jumped.length === 1 && crossed.length === 1);
