import type { Answer, Exchange, HeaderLine } from './exchange.ts';
import { answerOf, headersOf, headerValue, headerValues } from './headers.ts';
import { dateHeaderSeconds } from './http-date.ts';
import { DRAFT_FIELDS, RATE_HEADERS } from './judged-headers.ts';

/** Whether a response has any of them. */
export const hasRateHeaders = (exchange: Exchange): boolean =>
  RATE_HEADERS.some((name) => headerValues(answerOf(exchange)?.headers ?? [], name).length > 0);

/** The three rate-limit headers as numbers; each undefined where it is absent, ambiguous or malformed. */
export interface RateHeaders {
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  /** Unix seconds. */
  readonly reset: number | undefined;
}

const known = new WeakMap<readonly HeaderLine[], RateHeaders>();

/**
 * Reads `X-RateLimit-Limit`, `-Remaining` and `-Reset` (specification, Rate limit headers). Never throws. The headers
 * of one response are read once: judges and probes need them some dozen times.
 */
export function readRateHeaders(headers: readonly HeaderLine[]): RateHeaders {
  const before = known.get(headers);
  if (before !== undefined) return before;
  const read = {
    limit: wholeNumber(headerValue(headers, 'X-RateLimit-Limit')),
    remaining: wholeNumber(headerValue(headers, 'X-RateLimit-Remaining')),
    reset: decimalNumber(headerValue(headers, 'X-RateLimit-Reset')),
  };
  known.set(headers, read);
  return read;
}

/** The three headers of a response as numbers; all undefined where no response came. */
export const rateHeadersOf = (exchange: Exchange): RateHeaders => readRateHeaders(headersOf(exchange));

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;

const decimalNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^[0-9]{1,15}(\.[0-9]{1,9})?$/.test(text) ? Number(text) : undefined;

/** Seconds from the `Date` of a response to its Reset; both come from the same clock. Undefined where one is missing. */
export function secondsToReset(answer: Answer | undefined): number | undefined {
  const { reset } = readRateHeaders(answer?.headers ?? []);
  const date = dateHeaderSeconds(answer);
  return reset === undefined || date === undefined ? undefined : reset - date;
}

/** `Date` has whole seconds, so a smaller difference between two clocks shows nothing, in milliseconds. */
const CLOCK_RESOLUTION_MS = 1500;

/**
 * When the window ends that a response advertises (X-RateLimit-Reset), in milliseconds since the Unix epoch on the clock
 * of this machine; undefined where Reset is absent or malformed.
 * @param received when the response arrived, on the same clock.
 */
export function resetOnOwnClock(answer: Answer | undefined, received: number): number | undefined {
  const { reset } = readRateHeaders(answer?.headers ?? []);
  if (reset === undefined) return undefined;
  const date = dateHeaderSeconds(answer);
  const ahead = date === undefined ? 0 : date * 1000 - received;
  return reset * 1000 - (Math.abs(ahead) > CLOCK_RESOLUTION_MS ? ahead : 0);
}

/** Which fields of the Internet-Draft these header lines hold, in the draft's own spelling. */
export function draftRateLimitFields(headers: readonly HeaderLine[]): readonly string[] {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  return DRAFT_FIELDS.filter((name) => names.has(name.toLowerCase()));
}

const EXACT: ReadonlySet<string> = new Set(RATE_HEADERS.map((name) => name.toLowerCase()));

/** The fields about a rate limit that are neither the three headers nor fields of the draft, such as X-Rate-Limit-Limit. */
export const nearRateLimitFields = (headers: readonly HeaderLine[]): readonly string[] => [
  ...new Set(
    headers
      .map(([name]) => name)
      .filter((name) => /rate[-_]?limit/i.test(name) && !EXACT.has(name.toLowerCase()))
      .filter((name) => draftRateLimitFields([[name, '']]).length === 0),
  ),
];
