import type { Exchange } from '../../exchanges/exchange.ts';
import type { Quota } from '../quota.ts';
import { mayPassEndOnClock } from '../series/transitions.ts';
import { announcedTogether, announcingUndated, mayFollowTheClock } from './one-reset-groups.ts';

/** Whether a window of a sliding counter may have ended in between: its Reset moves, or may follow the clock. */
export function mayEndEarlier(exchanges: readonly Exchange[], quota: Quota): boolean {
  const [together = [], ...others] = announcedTogether(exchanges, quota, announcingUndated);
  return others.length > 0 || mayFollowTheClock(together, quota);
}

/**
 * What a sliding counter gives back at once where its window ends: one request, where the weight of the former window
 * is rounded down, or a request is accepted while the sum is below the limit. 0 where no window can have ended.
 * Derivation: BOUNDS.md, "Exactly the limit".
 */
export function givenBackAtEnd(exchanges: readonly Exchange[], quota: Quota): 0 | 1 {
  const [first, last] = [exchanges[0], exchanges.at(-1)];
  if (first === undefined || last === undefined) return 0;
  return mayPassEndOnClock(first, last, quota) && mayEndEarlier(exchanges, quota) ? 1 : 0;
}
