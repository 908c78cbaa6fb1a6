import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import { rateHeadersOf } from '../../exchanges/rate-headers.ts';
import type { Quota } from '../quota.ts';
import type { SeriesStep } from '../series/series.ts';
import type { Overrun } from './accepted-bound.ts';
import { acceptedBeyond } from './accepted-bound.ts';
import { cameBeforeAnyRefill } from './announced-end.ts';
import { counterMayTurn } from './end-of-counter.ts';

/**
 * The bound for requests that were under way together, so that no response
 * states what remained before it: the limit, where all that were accepted
 * announce one and the same end, that end lies ahead of them, and nothing flows
 * back in their time. Derivation: BOUNDS.md, "A burst of parallel requests".
 */
export function beyondLimitInParallel(step: SeriesStep | undefined, quota: Quota): Overrun | undefined {
  const exchanges = step?.exchanges.filter((exchange) => !isRateLimited(exchange)) ?? [];
  if (exchanges.length <= quota.limit) return undefined;
  const headers = exchanges.map(rateHeadersOf);
  const sameWindow = headers.every(
    ({ limit, reset }) => limit === quota.limit && reset === headers[0]?.reset,
  );
  return sameWindow && cameBeforeAnyRefill(exchanges, quota)
    ? acceptedBeyond(exchanges, quota.limit + Number(counterMayTurn(exchanges, quota)), quota)
    : undefined;
}
