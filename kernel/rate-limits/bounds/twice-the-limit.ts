import type { Exchange } from '../../exchanges/exchange.ts';
import type { Quota } from '../quota.ts';
import type { Overrun } from './accepted-bound.ts';
import { acceptedBeyond } from './accepted-bound.ts';

/**
 * The bound that needs no headers: twice the limit and what flows back, since
 * one aligned window may begin anew unseen. Derivation: BOUNDS.md, "Twice the limit".
 */
export const beyondTwiceTheLimit = (exchanges: readonly Exchange[], quota: Quota): Overrun | undefined =>
  acceptedBeyond(exchanges, 2 * quota.limit, quota);
