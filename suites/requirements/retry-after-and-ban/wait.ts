import type { Exchange } from '../../model/exchange.ts';
import { answerOf, retryAfter } from '../../model/headers.ts';

/** The seconds that an answer asks to wait by its Retry-After; undefined where it has none that can be used. */
export function waitOf(exchange: Exchange): number | undefined {
  const answer = answerOf(exchange);
  const after = answer === undefined ? undefined : retryAfter(answer);
  return after?.kind === 'seconds' || after?.kind === 'date' ? after.seconds : undefined;
}
