import type { Exchange } from '../../exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../exchanges/outcome-kinds.ts';
import type { Quota } from '../quota.ts';

/** More was accepted between two 429 responses than a conforming limiter gives back in that time. */
export interface AcceptedBetween {
  readonly from: Exchange;
  readonly to: Exchange;
  readonly accepted: readonly Exchange[];
  readonly allowed: number;
  /** From the sending of the first 429 to the receipt of the last one. */
  readonly milliseconds: number;
}

/**
 * The bound on what is accepted between two 429 responses, of requests that were sent one after another with one key
 * from an untouched quota on. Derivation: BOUNDS.md, "Between two 429 responses".
 * @param exchanges in the order of sending.
 * @param counts whether an accepted request surely is one of the service.
 */
export function acceptedBetween429s(
  exchanges: readonly Exchange[],
  counts: (exchange: Exchange) => boolean,
  quota: Quota,
): AcceptedBetween | undefined {
  const end = (exchanges[0]?.sent.mono ?? 0) + quota.windowMs / 2;
  const early = exchanges.filter(({ received }) => received.mono <= end);
  for (const [i, from] of early.entries()) {
    if (!isRateLimited(from)) continue;
    const found = fromThis429(from, early.slice(i + 1), counts, quota);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fromThis429(
  from: Exchange,
  later: readonly Exchange[],
  counts: (exchange: Exchange) => boolean,
  quota: Quota,
): AcceptedBetween | undefined {
  const between: Exchange[] = [];
  let inARow = 0;
  let largest = 0;
  for (const to of later) {
    if (accepted(to)) {
      inARow += 1;
      largest = Math.max(largest, inARow);
      if (counts(to)) between.push(to);
      continue;
    }
    if (!isRateLimited(to)) continue;
    inARow = 0;
    const milliseconds = to.received.mono - from.sent.mono;
    const allowed = Math.floor((quota.limit * milliseconds) / quota.windowMs) + largest + 1;
    if (between.length > allowed) return { from, to, accepted: between, allowed, milliseconds };
  }
  return undefined;
}
