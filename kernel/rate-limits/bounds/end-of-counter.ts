import type { Exchange } from '../../exchanges/exchange.ts';
import type { Quota } from '../quota.ts';
import { announcedTogether, announcingUndated, mayFollowTheClock } from './one-reset-groups.ts';

/**
 * Whether a window of a sliding counter may have ended among these requests: their Reset moves, or may follow the
 * clock. From then on quota flows back, in fractions that Remaining does not show, and one request at once where the
 * weight of the former window is rounded down. Derivation: BOUNDS.md, "The end of a counter's window".
 */
export function counterMayTurn(exchanges: readonly Exchange[], quota: Quota): boolean {
  const [together = [], ...others] = announcedTogether(exchanges, quota, announcingUndated);
  return others.length > 0 || mayFollowTheClock(together, quota);
}
