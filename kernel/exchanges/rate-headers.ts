import type { Exchange, HeaderLine } from './exchange.ts';
import { headersOf, headerValue, headerValues } from './headers.ts';
import { DRAFT_FIELDS, RATE_HEADERS } from './judged-headers.ts';

const DAYS = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
/** The 60th second is a leap second (RFC 9110 §5.6.7). */
const TIME = '(?<h>[01][0-9]|2[0-3]):(?<m>[0-5][0-9]):(?<s>[0-5][0-9]|60)';
const IMF_FIXDATE = new RegExp(`^${DAYS}, (?<day>[0-3][0-9]) ${MONTH} (?<year>[0-9]{4}) ${TIME} GMT$`);
const RFC_850 = new RegExp(
  `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>[0-3][0-9])-${MONTH}-(?<year>[0-9]{2}) ${TIME} GMT$`,
);
const ASCTIME = new RegExp(`^${DAYS} ${MONTH} (?<day>[ 0-3][0-9]) ${TIME} (?<year>[0-9]{4})$`);

interface HttpDate {
  /** Unix seconds. */
  readonly seconds: number;
  /** Whether it is in one of the two forms that RFC 9110 §5.6.7 calls obsolete. */
  readonly obsolete: boolean;
}

/** Reads the three forms of an HTTP-date (RFC 9110 §5.6.7); undefined for anything else. Never throws. */
export function parseHttpDate(text: string): HttpDate | undefined {
  // All responses of one second have the same Date, so the last one is remembered.
  if (text !== latest.text) latest = { text, date: parse(text) };
  return latest.date;
}

let latest: { readonly text: string; readonly date: HttpDate | undefined } = { text: '', date: undefined };

function parse(text: string): HttpDate | undefined {
  const current = IMF_FIXDATE.exec(text);
  const match = current ?? RFC_850.exec(text) ?? ASCTIME.exec(text);
  const parts = match?.groups;
  if (parts === undefined) return undefined;
  const { year = '', month = '', day = '', h = '', m = '', s = '' } = parts;
  const date = [fullYear(year), MONTHS.indexOf(month), Number(day)] as const;
  // `Date` reads 31 February as 3 March.
  if (new Date(Date.UTC(...date)).getUTCDate() !== Number(day)) return undefined;
  const milliseconds = Date.UTC(...date, Number(h), Number(m), Number(s));
  return { seconds: milliseconds / 1000, obsolete: current === null };
}

/** RFC 9110 §5.6.7 reads two digits relative to the present; they always mean 2000 to 2099 here, so that a journal reads the same in every year. */
const fullYear = (text: string): number => (text.length === 2 ? 2000 + Number(text) : Number(text));

/** Whether a text would be an HTTP-date if it ended with GMT: another name of that zone, or an offset, stands in its place. */
export const lacksGmt = (text: string): boolean =>
  parseHttpDate(text) === undefined &&
  parseHttpDate(text.replace(/ ?[A-Z+-][\w:+-]*$/, ' GMT')) !== undefined;

/** What came in answer to a request; without a response every header is absent. */
type Answered = Pick<Exchange, 'outcome'>;

/** The `Date` of a response in Unix seconds, or undefined where it is absent or no HTTP-date. */
export const dateHeaderSeconds = (exchange: Answered): number | undefined => rateHeadersOf(exchange).date;

/** Whether a response has no usable Date, which would say at which time by its own clock it was sent. */
export const isUndated = (exchange: Answered): boolean => dateHeaderSeconds(exchange) === undefined;

export const hasRateHeaders = (exchange: Answered): boolean =>
  RATE_HEADERS.some((name) => headerValues(headersOf(exchange), name).length > 0);

export const hasRetryAfter = (exchange: Answered): boolean =>
  headerValues(headersOf(exchange), 'Retry-After').length > 0;

/** The three rate-limit headers and the date as numbers; each undefined where it is absent, ambiguous or malformed. */
interface RateHeaders {
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  /** Unix seconds. */
  readonly reset: number | undefined;
  /** `Date`, in Unix seconds. */
  readonly date: number | undefined;
}

const READ = Symbol('rate headers');

/**
 * Reads `X-RateLimit-Limit`, `-Remaining` and `-Reset` (specification, Rate limit headers), and `Date`. Never throws. The headers
 * of one response are read once: judges and probes need them some dozen times. What was read is kept with the lines, hidden,
 * because a WeakMap of a long journal takes five times as long to ask.
 */
export function readRateHeaders(
  headers: readonly HeaderLine[] & { readonly [READ]?: RateHeaders },
): RateHeaders {
  const before = headers[READ];
  if (before !== undefined) return before;
  const date = headerValue(headers, 'Date');
  const read = {
    limit: wholeNumber(headerValue(headers, 'X-RateLimit-Limit')),
    remaining: wholeNumber(headerValue(headers, 'X-RateLimit-Remaining')),
    reset: decimalNumber(headerValue(headers, 'X-RateLimit-Reset')),
    date: date === undefined ? undefined : parseHttpDate(date)?.seconds,
  };
  Object.defineProperty(headers, READ, { value: read });
  return read;
}

/** The three headers of a response as numbers; all undefined where no response came. */
export const rateHeadersOf = (exchange: Answered): RateHeaders => readRateHeaders(headersOf(exchange));

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;

const decimalNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^[0-9]{1,15}(\.[0-9]{1,9})?$/.test(text) ? Number(text) : undefined;

/** Seconds from the `Date` of a response to its Reset; both come from the same clock. Undefined where one is missing. */
export function secondsToReset(exchange: Answered): number | undefined {
  const { reset, date } = rateHeadersOf(exchange);
  return reset === undefined || date === undefined ? undefined : reset - date;
}

/** `Date` has whole seconds, so a smaller difference between two clocks shows nothing, in milliseconds. */
const CLOCK_RESOLUTION_MS = 1500;

/** When the advertised window ends, in milliseconds since the Unix epoch by our own clock, as is `received`. */
export function resetOnOwnClock(exchange: Answered, received: number): number | undefined {
  const { reset, date } = rateHeadersOf(exchange);
  if (reset === undefined) return undefined;
  const ahead = date === undefined ? 0 : date * 1000 - received;
  return reset * 1000 - (Math.abs(ahead) > CLOCK_RESOLUTION_MS ? ahead : 0);
}

/** Which fields of the Internet-Draft these header lines hold, in the draft's own spelling. */
export function draftRateLimitFields(headers: readonly HeaderLine[]): readonly string[] {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  return DRAFT_FIELDS.filter((name) => names.has(name.toLowerCase()));
}

const EXACT: ReadonlySet<string> = new Set(RATE_HEADERS.map((name) => name.toLowerCase()));

const MOST_NEAR = 6;

/** The first fields about a rate limit that are neither the three headers nor fields of the draft, such as X-Rate-Limit-Limit. */
export function nearRateLimitFields(headers: readonly HeaderLine[]): readonly string[] {
  const near = headers
    .map(([name]) => name)
    .filter((name) => /rate[-_]?limit/i.test(name) && !EXACT.has(name.toLowerCase()))
    .filter((name) => draftRateLimitFields([[name, '']]).length === 0);
  return [...new Set(near)].slice(0, MOST_NEAR);
}

// Retry-After is read here and nowhere else: its form, the seconds that RFC 9110
// takes it for, and the unit that the target's own Reset suggests instead.

/**
 * The form of `Retry-After` (RFC 9110 §10.2.3): seconds to wait after the response was received, or what is wrong with
 * it. A date is read against the `Date` of the same response, because both come from the same clock.
 */
type RetryAfter =
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
export function readRetryAfter(exchange: Answered): RetryAfter {
  const values = headerValues(headersOf(exchange), 'Retry-After');
  const [text] = values;
  if (text === undefined) return { kind: 'absent' };
  if (new Set(values).size > 1) return { kind: 'malformed', text: values.join(', ') };
  if (/^[0-9]+$/.test(text)) return { kind: 'seconds', seconds: Math.min(Number(text), LONGEST_DELAY), text };
  const date = parseHttpDate(text);
  if (date === undefined) return { kind: 'malformed', text };
  const sent = dateHeaderSeconds(exchange);
  const seconds = sent === undefined ? undefined : date.seconds - sent;
  return { kind: 'date', at: date.seconds, seconds, text, obsolete: date.obsolete };
}

/**
 * The wait in seconds as RFC 9110 §10.2.3 defines it; undefined where Retry-After is absent or unusable. A client that
 * waits this long has waited long enough in every reading of the header, so proofs against a target use it.
 */
export function literalWaitSeconds(exchange: Answered): number | undefined {
  const after = readRetryAfter(exchange);
  return after.kind === 'seconds' || after.kind === 'date' ? after.seconds : undefined;
}

/** In the unit that Reset confirms: the specification shows none, and a run that waits 60,000 s for a minute learns nothing. */
export const announcedWaitSeconds = (exchange: Answered): number | undefined =>
  apparentWaitUnit(exchange)?.seconds ?? literalWaitSeconds(exchange);

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
 * The unit in which Retry-After agrees with the target's own Reset, where it is far too long in seconds; undefined
 * where nothing suggests another unit, because a long wait alone may be about a day or a ban.
 */
export function apparentWaitUnit(exchange: Answered): ApparentWaitUnit | undefined {
  const after = readRetryAfter(exchange);
  const toReset = secondsToReset(exchange);
  if (after.kind !== 'seconds' || toReset === undefined || toReset < 2) return undefined;
  if (after.seconds <= FAR_TOO_LONG * toReset) return undefined;
  const { reset = 0 } = rateHeadersOf(exchange);
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
