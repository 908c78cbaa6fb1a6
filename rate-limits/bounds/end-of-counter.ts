import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf } from '../../exchanges/headers.ts';
import { dateHeaderSeconds } from '../../exchanges/http-date.ts';
import type { Quota } from '../quota.ts';
import type { Transition } from '../series/transitions.ts';
import { announcedTogether, announcingUndated, mayFollowTheClock } from './one-reset-groups.ts';

/** Whether a window of a sliding counter may have ended in between: its Reset moves, or may follow the clock. */
export function mayEndEarlier(exchanges: readonly Exchange[], quota: Quota): boolean {
  const [together = [], ...others] = announcedTogether(exchanges, quota, announcingUndated);
  return others.length > 0 || mayFollowTheClock(together, quota);
}

/**
 * What a sliding counter gives back at once where its window ends: one request, where the weight of the former window
 * is rounded down, or a request is accepted while the sum is below the limit. 0 where no window can have ended.
 * Derivation: BOUNDS.md, "Exactly the limit".
 */
export function givenBackAtEnd(exchanges: readonly Exchange[], quota: Quota): 0 | 1 {
  const [first, last] = [exchanges[0], exchanges.at(-1)];
  if (first === undefined || last === undefined) return 0;
  return mayPassEndOnClock(first, last, quota) && mayEndEarlier(exchanges, quota) ? 1 : 0;
}

/**
 * Whether the readings permit that quota came back: somewhere Remaining did not fall by every request. Where it stays
 * at 0, a request beyond the limit was accepted instead, unless a window of the clock ended just then.
 */
export const mayShowGain = (changes: readonly Transition[], quota: Quota): boolean =>
  changes.some(
    ({ from, to, fallen, requests }) =>
      fallen < requests && (to.remaining > 0 || mayPassEndOnClock(from.exchange, to.exchange, quota)),
  );

/** Whether a window that is aligned to the clock of the target may have ended between two responses: `Date` is rounded down, and a server may compute it once a second. */
function mayPassEndOnClock(first: Exchange, last: Exchange, { windowMs }: Quota): boolean {
  const [before, after] = [first, last].map((exchange) => dateHeaderSeconds(answerOf(exchange)));
  if (before === undefined || after === undefined) return true;
  const windowOf = (seconds: number): number => Math.floor((1000 * seconds) / windowMs);
  return windowOf(before) !== windowOf(after + 1);
}
