import type { Exchange } from '../../exchanges/exchange.ts';
import type { Quota } from '../quota.ts';
import type { Overrun } from './accepted-bound.ts';
import { acceptedBeyond } from './accepted-bound.ts';
import type { Stretch } from './stretches.ts';
import { countedBesides, largestPiece } from './stretches.ts';

/**
 * The bound for requests over which the headers show no window that began anew:
 * the limit, what flows back in their time, and the largest piece of it.
 * Derivation: BOUNDS.md, "The limit plus refill".
 * @param exchanges those of one window, up to its last reading; after that it may begin anew unseen.
 */
export const beyondLimitPlusRefill = (
  exchanges: readonly Exchange[],
  stretches: readonly Stretch[],
  quota: Quota,
): Overrun | undefined =>
  acceptedBeyond(exchanges, quota.limit + largestPiece(stretches), quota, countedBesides(stretches));
