import { answerOf } from '../../../kernel/exchanges/headers.ts';
import { isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { literalWaitSeconds } from '../../../kernel/exchanges/retry-after.ts';
import type { Pacer } from './pacer.ts';

/** Whether the last request without a valid key got a 429 whose wait is not over: a target may bar callers that keep sending. */
export function hasToWaitWithoutKey({ session, limits }: Pacer): boolean {
  const last = session.exchanges.findLast(({ caller }) => caller === 'unauthenticated');
  if (last === undefined || !isRateLimited(last)) return false;
  const seconds = literalWaitSeconds(answerOf(last)) ?? limits.minuteSeconds;
  return session.now().mono < last.received.mono + 1000 * seconds;
}
