import type { Answer, Exchange } from '../model/exchange.ts';
import { answerOf, dateOf, rateReading, retryAfter } from '../model/headers.ts';
import type { Limits } from '../model/journal.ts';

/** A Retry-After so much longer than the target's own Reset that its unit must be wrong. */
const WRONG_UNIT = 200;

/** The wait that a 429 asks for in seconds, from Retry-After where it is usable, else from Reset. */
export function refusalSeconds(exchange: Exchange): number | undefined {
  const answer = answerOf(exchange);
  if (answer === undefined) return undefined;
  const after = retryAfter(answer);
  const stated = after.kind === 'seconds' || after.kind === 'date' ? after.seconds : undefined;
  return stated === undefined || hasWrongUnit(answer) ? resetSeconds(answer) : stated;
}

/** Two moments that are written apart, each rounded to a second, may differ by this much, in seconds. */
const WRITTEN_APART = 2;

/**
 * Whether Retry-After is milliseconds or a moment where seconds belong, by the
 * target's own Reset: it must be far too long and say, in the other unit, the
 * same as Reset does. A long wait alone may be about a day or a ban.
 */
export function hasWrongUnit(answer: Answer): boolean {
  const after = retryAfter(answer);
  const left = resetSeconds(answer);
  if (after.kind !== 'seconds' || left === undefined || left < 2) return false;
  if (after.seconds <= WRONG_UNIT * left) return false;
  const { reset = 0 } = rateReading(answer.headers);
  const readings = [after.seconds / 1000 - left, after.seconds - reset, after.seconds / 1000 - reset];
  return readings.some((difference) => Math.abs(difference) <= WRITTEN_APART);
}

/** Seconds from the answer's own Date to its Reset. */
export function resetSeconds(answer: Answer): number | undefined {
  const { reset } = rateReading(answer.headers);
  const date = dateOf(answer);
  return reset === undefined || date === undefined ? undefined : reset - date;
}

/**
 * What kind of limit a 429 speaks of, by the wait that it asks for. A bucket
 * gives the next request back within one interval; a wait beyond the window is
 * about a day, a ban or a penalty; only what lies between is about the window.
 */
export type RefusalScale = 'next request' | 'window' | 'longer' | 'unknown';

/** Rounding may add this to the wait for a whole window, in seconds. */
const WINDOW_SLACK = 2;

/** The scale of a refusal under these limits. */
export function refusalScale(exchange: Exchange, limits: Limits): RefusalScale {
  const answer = answerOf(exchange);
  if (answer !== undefined && rateReading(answer.headers).limit === limits.perDay) return 'longer';
  const seconds = refusalSeconds(exchange);
  if (seconds === undefined) return 'unknown';
  if (seconds <= Math.ceil(limits.minuteSeconds / limits.perMinute) + 1) return 'next request';
  return seconds <= limits.minuteSeconds + WINDOW_SLACK ? 'window' : 'longer';
}
