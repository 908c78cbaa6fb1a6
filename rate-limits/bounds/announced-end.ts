import { greatest } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf } from '../../exchanges/headers.ts';
import { secondsToReset } from '../../exchanges/rate-headers.ts';
import type { Quota } from '../quota.ts';

/** The end of a window and the Date of the response are each rounded to a second, in milliseconds. */
const RESET_SLACK_MS = 2000;

/** The earliest end of the window that this response announces, milliseconds on our monotonic clock. */
export function earliestAnnouncedEnd(exchange: Exchange): number | undefined {
  const seconds = secondsToReset(answerOf(exchange));
  return seconds === undefined ? undefined : exchange.sent.mono + seconds * 1000 - RESET_SLACK_MS;
}

/**
 * Whether all of these came before anything flows back: in less time than one
 * request takes to flow back at the plan's rate, and before the Reset that the
 * first response announced.
 */
export function cameBeforeAnyRefill(exchanges: readonly Exchange[], quota: Quota): boolean {
  const [first] = exchanges;
  const end = first === undefined ? undefined : earliestAnnouncedEnd(first);
  if (first === undefined || end === undefined) return false;
  const received = greatest(exchanges.map((one) => one.received.mono));
  return received < end && (received - first.sent.mono) * quota.limit < quota.windowMs;
}
