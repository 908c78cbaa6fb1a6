import type { Exchange } from '../../../exchanges/exchange.ts';
import { answerOf, retryAfter } from '../../../exchanges/headers.ts';
import type { ApparentUnit } from '../../../rate-limits/refusals.ts';
import { apparentUnit } from '../../../rate-limits/refusals.ts';

/** The seconds that an answer asks to wait by its Retry-After; undefined where it has none that can be used. */
export function waitOf(exchange: Exchange): number | undefined {
  const answer = answerOf(exchange);
  const after = answer === undefined ? undefined : retryAfter(answer);
  return after?.kind === 'seconds' || after?.kind === 'date' ? after.seconds : undefined;
}

/** What the Retry-After of an answer seems to count instead of seconds, by the answer's own Reset; undefined where nothing suggests it. */
export function unitOf(exchange: Exchange): ApparentUnit | undefined {
  const answer = answerOf(exchange);
  return answer === undefined ? undefined : apparentUnit(answer);
}
