import { greatest } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf } from '../../exchanges/headers.ts';
import { rateHeadersOf, secondsToReset } from '../../exchanges/rate-headers.ts';
import type { Quota } from '../quota.ts';

/** A window that slides in steps gives back no request that is younger than this share of it. */
export const SURELY_REMEMBERED = 1 / 2;

/** In a shorter window (milliseconds) a Reset that is rounded to a second may stay the same while quota flows back. */
const LEAST_UNDATED_MS = 10_000;

/** The end of a window and the Date of the response are each rounded to a second, in milliseconds. */
const ROUNDING_MS = 2000;

/** The clock of the limiter may be a second ahead, and Date a second old, in milliseconds; less in short windows: a share of the window. */
const CLOCKS = { ms: 2000, ofWindow: 1 / 6 } as const;

/** The earliest end of the window that this response announces, milliseconds on our monotonic clock. */
export function earliestAnnouncedEnd(exchange: Exchange, { windowMs }: Quota): number | undefined {
  const seconds = secondsToReset(answerOf(exchange));
  if (seconds === undefined) return undefined;
  const clocksMs = Math.min(CLOCKS.ms, CLOCKS.ofWindow * windowMs);
  return exchange.sent.mono + seconds * 1000 - ROUNDING_MS - clocksMs;
}

/**
 * What came from this request on and surely before its window ended: before the earliest moment that its Reset can
 * mean. Without Date nothing shows that moment; then for half a window, as long as every response announces the same
 * Reset.
 */
export function withinOneWindow(
  exchanges: readonly Exchange[],
  start: Exchange,
  quota: Quota,
): readonly Exchange[] {
  const { windowMs } = quota;
  const since = exchanges.filter((exchange) => exchange.sent.mono >= start.sent.mono);
  const end = earliestAnnouncedEnd(start, quota);
  if (end !== undefined) return since.filter(({ received }) => received.mono < end);
  const reset = resetOf(start);
  if (reset === undefined || windowMs < LEAST_UNDATED_MS) return [];
  const other = since.find((exchange) => resetOf(exchange) !== reset)?.sent.mono ?? Number.POSITIVE_INFINITY;
  const until = Math.min(other, start.sent.mono + SURELY_REMEMBERED * windowMs);
  return since.filter(({ received }) => received.mono < until);
}

const resetOf = (exchange: Exchange): number | undefined => rateHeadersOf(exchange).reset;

/**
 * Whether all of these came before anything flows back: in less time than one
 * request takes to flow back at the plan's rate, and within the window of the first response.
 */
export function cameBeforeAnyRefill(exchanges: readonly Exchange[], quota: Quota): boolean {
  const [first] = exchanges;
  if (first === undefined || withinOneWindow(exchanges, first, quota).length < exchanges.length) return false;
  const received = greatest(exchanges.map((one) => one.received.mono));
  return (received - first.sent.mono) * quota.limit < quota.windowMs;
}
