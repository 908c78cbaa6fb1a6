import type { Answer, Exchange } from '../exchanges/exchange.ts';
import { answerOf, dateOf, rateReading, retryAfter } from '../exchanges/headers.ts';
import type { Limits } from '../suites/model/journal.ts';

/** A Retry-After so much longer than the target's own Reset that it can hardly be seconds. */
const OTHER_UNIT = 200;

/** The wait that a 429 asks for in seconds, from Retry-After where it is usable, else from Reset. */
export function waitSeconds429(exchange: Exchange): number | undefined {
  const answer = answerOf(exchange);
  return answer === undefined ? undefined : (statedWait(answer) ?? resetSeconds(answer));
}

/**
 * The seconds that Retry-After asks to wait, in the unit that the target's own
 * Reset confirms; undefined where it is absent or unusable. The specification
 * does not show the unit, and whoever waits 60,000 s for a minute learns nothing.
 */
export function statedWait(answer: Answer): number | undefined {
  const after = retryAfter(answer);
  if (after.kind !== 'seconds' && after.kind !== 'date') return undefined;
  return apparentUnit(answer)?.seconds ?? after.seconds;
}

/** What a Retry-After seems to count, other than the seconds of RFC 9110 §10.2.3. */
export interface ApparentUnit {
  /** As a sentence says it, such as `milliseconds`. */
  readonly name: string;
  /** The wait in seconds, read in this unit. */
  readonly seconds: number;
}

/** Two moments that are written apart, each rounded to a second, may differ by this much, in seconds. */
const WRITTEN_APART = 2;

/** Parts of a second that limiters count in: `per` of them make one. */
const PARTS = [
  { name: 'milliseconds', per: 1e3 },
  { name: 'microseconds', per: 1e6 },
  { name: 'nanoseconds', per: 1e9 },
] as const;

/**
 * The unit in which Retry-After says the same as the target's own Reset, where
 * it is far too long in seconds; undefined where nothing suggests another
 * unit. A long wait alone may be about a day or a ban.
 */
export function apparentUnit(answer: Answer): ApparentUnit | undefined {
  const after = retryAfter(answer);
  const left = resetSeconds(answer);
  if (after.kind !== 'seconds' || left === undefined || left < 2) return undefined;
  if (after.seconds <= OTHER_UNIT * left) return undefined;
  const { reset = 0 } = rateReading(answer.headers);
  const date = reset - left;
  const readings = [
    { name: 'a Unix timestamp', seconds: after.seconds - date },
    ...PARTS.flatMap(({ name, per }) => [
      { name, seconds: after.seconds / per },
      { name: `a Unix timestamp in ${name}`, seconds: after.seconds / per - date },
    ]),
  ];
  return readings.find(({ seconds }) => Math.abs(seconds - left) <= WRITTEN_APART);
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
export type WaitScale = 'next request' | 'window' | 'longer' | 'unknown';

/** Rounding may add this to the wait for a whole window, in seconds. */
const WINDOW_SLACK = 2;

/** The scale of a refusal under these limits. */
export function waitScale(exchange: Exchange, limits: Limits): WaitScale {
  const answer = answerOf(exchange);
  if (answer !== undefined && rateReading(answer.headers).limit === limits.perDay) return 'longer';
  const seconds = waitSeconds429(exchange);
  if (seconds === undefined) return 'unknown';
  if (seconds <= Math.ceil(limits.minuteSeconds / limits.perMinute) + 1) return 'next request';
  return seconds <= limits.minuteSeconds + WINDOW_SLACK ? 'window' : 'longer';
}
