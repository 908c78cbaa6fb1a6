import type { Limits } from '../../spec/plans.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { answerOf } from '../exchanges/headers.ts';
import { dateHeaderSeconds } from '../exchanges/http-date.ts';
import { rateHeadersOf, secondsToReset } from '../exchanges/rate-headers.ts';
import { announcedWaitSeconds, readRetryAfter } from '../exchanges/retry-after.ts';

/** The wait that a 429 announces, in seconds: by Retry-After where that is usable, else by Reset. */
export function waitSeconds429(exchange: Exchange): number | undefined {
  const answer = answerOf(exchange);
  return announcedWaitSeconds(answer) ?? secondsToReset(answer);
}

/**
 * Which limit a 429 is about, by the wait that it announces. A bucket gives the
 * next request back within one interval; a wait beyond the window is about a
 * day, a ban or a penalty; only what lies between is about the window.
 */
export type WaitScale = 'next request' | 'window' | 'longer' | 'unknown';

/** Rounding may add this to the wait for a whole window, in seconds. */
const WINDOW_SLACK = 2;

/** The scale of the wait that a 429 announces, under these limits. */
export function waitScale(exchange: Exchange, limits: Limits): WaitScale {
  const { limit, remaining } = rateHeadersOf(exchange);
  const seconds = waitSeconds429(exchange);
  const isNext = seconds !== undefined && seconds <= Math.ceil(limits.minuteSeconds / limits.perMinute) + 1;
  // A day of which requests are left is not what a wait of a second is about.
  if (limit === limits.perDay) return isNext && (remaining ?? 0) > 0 ? 'next request' : 'longer';
  if (seconds === undefined) return 'unknown';
  if (isNext) return 'next request';
  return seconds <= limits.minuteSeconds + WINDOW_SLACK ? 'window' : 'longer';
}

/** Date, Reset and Retry-After are each rounded to a second: the most by which they disagree about one moment, in seconds. */
const MOST_APART = 2;

/**
 * Whether Retry-After of a 429 ends at another moment than its Reset: then it may be about a limit that no header shows.
 * Without a Date our own clock decides; where it differs from the target's, that leaves more open and proves nothing.
 */
export function waitsBesideReset(exchange: Exchange): boolean {
  const { reset } = rateHeadersOf(exchange);
  const end = endOfWaitOnItsClock(exchange);
  return end !== undefined && reset !== undefined && Math.abs(end - reset) > MOST_APART;
}

/** When Retry-After ends, in Unix seconds; a date stands on the clock of the target by itself. */
function endOfWaitOnItsClock(exchange: Exchange): number | undefined {
  const answer = answerOf(exchange);
  const after = readRetryAfter(answer);
  if (after.kind === 'date') return after.at;
  const wait = announcedWaitSeconds(answer);
  return wait === undefined ? undefined : (dateHeaderSeconds(answer) ?? exchange.received.wall / 1000) + wait;
}

/** Why a wait of another scale than the window leaves the cause of a 429 open, in one sentence. */
export const OPEN_BY_WAIT: Readonly<Record<Exclude<WaitScale, 'window'>, string>> = {
  'next request': 'The announced wait is so short that the limit may be enforced in smaller portions.',
  longer: 'The announced wait is so long that another limit (a day, a penalty) must be the cause.',
  unknown: 'The 429 announces no usable wait, so another limit may be the cause.',
};
