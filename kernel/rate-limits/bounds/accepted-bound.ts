import { greatest } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Quota } from '../quota.ts';
import { surelyCounts } from '../series/keyed-requests.ts';

/** More requests were accepted than any conforming limiter of this plan accepts. */
export interface Overrun {
  readonly accepted: number;
  readonly allowed: number;
  /** From the first sending to the last receipt. */
  readonly milliseconds: number;
  readonly last: Exchange;
}

/**
 * The inequality that the bounds on accepted requests share: N > B + ⌊L·t/W⌋. Derivation: BOUNDS.md, "The shared
 * inequality".
 * @param exchanges in the order of sending.
 * @param burst B, the most that a conforming limiter accepts at once in this situation.
 * @param besides requests that are not sure to count, but that the headers show to be counted.
 */
export function acceptedBeyond(
  exchanges: readonly Exchange[],
  burst: number,
  quota: Quota,
  besides = 0,
): Overrun | undefined {
  const [first] = exchanges;
  const last = exchanges.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const milliseconds = greatest(exchanges.map((one) => one.received.mono)) - first.sent.mono;
  const allowed = burst + Math.floor((quota.limit * milliseconds) / quota.windowMs);
  const accepted = exchanges.filter(surelyCounts).length + besides;
  return accepted > allowed ? { accepted, allowed, milliseconds, last } : undefined;
}
