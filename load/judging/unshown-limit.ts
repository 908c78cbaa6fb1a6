import type { Exchange } from '../../exchanges/exchange.ts';
import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import { waitMayEndDay, waitScale, waitsBesideReset } from '../../rate-limits/wait-scale.ts';
import type { ScenarioEvidence } from './evidence.ts';

/**
 * Why a limit that no header shows may have caused a 429 of a scenario, in one sentence: a nearly exhausted day sends
 * one with the headers of the minute. One 429 that shows such a limit leaves every other one of the key open, too.
 */
export function unshownLimitText(
  { exchanges, limits }: ScenarioEvidence,
  limited: Exchange,
): string | undefined {
  // A bucket announces its next request, and in Reset when it is full.
  const beside = exchanges.find(
    (one) => isRateLimited(one) && waitScale(one, limits) === 'window' && waitsBesideReset(one),
  );
  if (beside !== undefined)
    return `Retry-After of request ${beside.n} does not end at the Reset of the same response, so another limit that no header shows, such as a nearly exhausted day, may be the cause.`;
  return waitMayEndDay(limited)
    ? 'Its wait ends on a quarter of an hour, when the day may end in the time zone of the service, so a nearly exhausted day may be the cause: run again later.'
    : undefined;
}
