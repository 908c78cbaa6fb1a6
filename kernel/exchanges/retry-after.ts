import type { Answer } from './exchange.ts';
import { headerValues } from './headers.ts';
import { dateHeaderSeconds, parseHttpDate } from './http-date.ts';
import { readRateHeaders, secondsToReset } from './rate-headers.ts';

// Retry-After is read here and nowhere else: its form, the seconds that RFC 9110
// takes it for, and the unit that the target's own Reset suggests instead.

/**
 * The form of `Retry-After` (RFC 9110 §10.2.3): seconds to wait after the
 * response was received, or what is wrong with it. A date is read against the
 * `Date` of the same response, because both come from the same clock.
 */
export type RetryAfter =
  | { readonly kind: 'absent' }
  | { readonly kind: 'malformed'; readonly text: string }
  | { readonly kind: 'seconds'; readonly seconds: number; readonly text: string }
  | {
      readonly kind: 'date';
      /** The date in Unix seconds. */
      readonly at: number;
      /** Undefined where the response has no usable `Date`. */
      readonly seconds: number | undefined;
      readonly text: string;
      readonly obsolete: boolean;
    };

/** `delay-seconds = 1*DIGIT` has no bound; what is longer than this, in seconds, is kept finite. */
const LONGEST_DELAY = 1e20;

/** Reads the form of `Retry-After`; absent where no response came. Never throws. */
export function readRetryAfter(answer: Answer | undefined): RetryAfter {
  const values = answer === undefined ? [] : headerValues(answer.headers, 'Retry-After');
  const [text] = values;
  if (answer === undefined || text === undefined) return { kind: 'absent' };
  if (new Set(values).size > 1) return { kind: 'malformed', text: values.join(', ') };
  if (/^[0-9]+$/.test(text)) return { kind: 'seconds', seconds: Math.min(Number(text), LONGEST_DELAY), text };
  const date = parseHttpDate(text);
  if (date === undefined) return { kind: 'malformed', text };
  const sent = dateHeaderSeconds(answer);
  const seconds = sent === undefined ? undefined : date.seconds - sent;
  return { kind: 'date', at: date.seconds, seconds, text, obsolete: date.obsolete };
}

/**
 * The wait in seconds as RFC 9110 §10.2.3 defines it; undefined where
 * Retry-After is absent or unusable. A client that waits this long has waited
 * long enough in every reading of the header, so proofs against a target use it.
 */
export function literalWaitSeconds(answer: Answer | undefined): number | undefined {
  const after = readRetryAfter(answer);
  return after.kind === 'seconds' || after.kind === 'date' ? after.seconds : undefined;
}

/**
 * The wait in seconds, in the unit that the target's own Reset confirms;
 * undefined where Retry-After is absent or unusable. The specification does not
 * show the unit, and a run that waits 60,000 s for a minute learns nothing, so
 * this is how long a run waits.
 */
export function announcedWaitSeconds(answer: Answer | undefined): number | undefined {
  return apparentWaitUnit(answer)?.seconds ?? literalWaitSeconds(answer);
}

/** What a Retry-After seems to count, other than the seconds of RFC 9110 §10.2.3. */
export interface ApparentWaitUnit {
  /** As a sentence names it, such as `milliseconds`. */
  readonly name: string;
  /** The wait in seconds, read in this unit. */
  readonly seconds: number;
}

/** A Retry-After so many times longer than the time to the target's own Reset can hardly be seconds. */
const FAR_TOO_LONG = 200;

/** Two moments that are written apart, each rounded to a second, may differ by this much, in seconds. */
const ROUNDING_SECONDS = 2;

/** Parts of a second that limiters count in: `perSecond` of them make one. */
const PARTS_OF_A_SECOND = [
  { name: 'milliseconds', perSecond: 1e3 },
  { name: 'microseconds', perSecond: 1e6 },
  { name: 'nanoseconds', perSecond: 1e9 },
] as const;

/**
 * The unit in which Retry-After agrees with the target's own Reset, where it is
 * far too long in seconds; undefined where nothing suggests another unit. A
 * long wait alone may be about a day or a ban.
 */
export function apparentWaitUnit(answer: Answer | undefined): ApparentWaitUnit | undefined {
  const after = readRetryAfter(answer);
  const toReset = secondsToReset(answer);
  if (after.kind !== 'seconds' || toReset === undefined || toReset < 2) return undefined;
  if (after.seconds <= FAR_TOO_LONG * toReset) return undefined;
  const { reset = 0 } = readRateHeaders(answer?.headers ?? []);
  const date = reset - toReset;
  const readings = [
    { name: 'a Unix timestamp', seconds: after.seconds - date },
    ...PARTS_OF_A_SECOND.flatMap(({ name, perSecond }) => [
      { name, seconds: after.seconds / perSecond },
      { name: `a Unix timestamp in ${name}`, seconds: after.seconds / perSecond - date },
    ]),
  ];
  return readings.find(({ seconds }) => Math.abs(seconds - toReset) <= ROUNDING_SECONDS);
}
