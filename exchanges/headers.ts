import type { Answer, Exchange, HeaderLine } from './exchange.ts';

/** Names are compared without case (RFC 9110 §5.1). What costs nothing first: every line of every answer is asked a dozen times. */
const sameName = (a: string, b: string): boolean =>
  a === b || (a.length === b.length && a.toLowerCase() === b.toLowerCase());

/** The values of a header, in the order of its lines. */
export function headerValues(headers: readonly HeaderLine[], name: string): readonly string[] {
  const values: string[] = [];
  for (const [key, value] of headers) if (sameName(key, name)) values.push(value.trim());
  return values;
}

/** The one value of a header, or undefined where it is absent or stands there more than once with different values. */
export function headerValue(headers: readonly HeaderLine[], name: string): string | undefined {
  let only: string | undefined;
  for (const [key, value] of headers) {
    if (!sameName(key, name)) continue;
    const text = value.trim();
    if (only !== undefined && only !== text) return undefined;
    only = text;
  }
  return only;
}

/** The answer of an exchange, or undefined where none came. */
export function answerOf({ outcome }: Exchange): Answer | undefined {
  return outcome.kind === 'answer' ? outcome : undefined;
}

/** The status of an exchange, or undefined where no answer came. */
export function statusOf(exchange: Exchange): number | undefined {
  return answerOf(exchange)?.status;
}

/** The three rate-limit headers as numbers; each undefined where it is absent, ambiguous or malformed. */
export interface RateReading {
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  /** Unix seconds. */
  readonly reset: number | undefined;
}

/** Reads `X-RateLimit-Limit`, `-Remaining` and `-Reset` (specification, Rate limit headers). Never throws. */
export function rateReading(headers: readonly HeaderLine[]): RateReading {
  return {
    limit: wholeNumber(headerValue(headers, 'X-RateLimit-Limit')),
    remaining: wholeNumber(headerValue(headers, 'X-RateLimit-Remaining')),
    reset: decimalNumber(headerValue(headers, 'X-RateLimit-Reset')),
  };
}

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;

const decimalNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^[0-9]{1,15}(\.[0-9]{1,9})?$/.test(text) ? Number(text) : undefined;

/**
 * How long `Retry-After` asks to wait after the answer was received, in
 * seconds, or what is wrong with it (RFC 9110 §10.2.3). A date is read against
 * the answer's own `Date`, because both come from the same clock.
 */
export type RetryAfter =
  | { readonly kind: 'absent' }
  | { readonly kind: 'malformed'; readonly text: string }
  | { readonly kind: 'seconds'; readonly seconds: number; readonly text: string }
  | {
      readonly kind: 'date';
      readonly seconds: number | undefined;
      readonly text: string;
      readonly obsolete: boolean;
    };

/** `delay-seconds = 1*DIGIT` has no bound; what is longer than this, in seconds, is kept finite. */
const LONGEST_DELAY = 1e20;

/** Reads `Retry-After` of an answer. Never throws. */
export function retryAfter(answer: Answer): RetryAfter {
  const values = headerValues(answer.headers, 'Retry-After');
  const [text] = values;
  if (text === undefined) return { kind: 'absent' };
  if (new Set(values).size > 1) return { kind: 'malformed', text: values.join(', ') };
  if (/^[0-9]+$/.test(text)) return { kind: 'seconds', seconds: Math.min(Number(text), LONGEST_DELAY), text };
  const date = httpDate(text);
  if (date === undefined) return { kind: 'malformed', text };
  const sent = dateOf(answer);
  const seconds = sent === undefined ? undefined : date.seconds - sent;
  return { kind: 'date', seconds, text, obsolete: date.obsolete };
}

/** The answer's own `Date` in Unix seconds, or undefined where it is absent or no HTTP-date. */
export function dateOf(answer: Answer): number | undefined {
  const text = headerValue(answer.headers, 'Date');
  if (text === undefined) return undefined;
  // The answers of one second say the same.
  if (lastDate?.text !== text) lastDate = { text, seconds: httpDate(text)?.seconds };
  return lastDate.seconds;
}

let lastDate: { readonly text: string; readonly seconds: number | undefined } | undefined;

const DAYS = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = '(?<h>[0-2][0-9]):(?<m>[0-5][0-9]):(?<s>[0-6][0-9])';
const IMF_FIXDATE = new RegExp(`^${DAYS}, (?<day>[0-3][0-9]) ${MONTH} (?<year>[0-9]{4}) ${TIME} GMT$`);
const RFC_850 = new RegExp(
  `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>[0-3][0-9])-${MONTH}-(?<year>[0-9]{2}) ${TIME} GMT$`,
);
const ASCTIME = new RegExp(`^${DAYS} ${MONTH} (?<day>[ 0-3][0-9]) ${TIME} (?<year>[0-9]{4})$`);

/** A moment as an answer states it. */
interface HttpDate {
  /** Unix seconds. */
  readonly seconds: number;
  readonly obsolete: boolean;
}

/** Reads the three forms of an HTTP-date (RFC 9110 §5.6.7) into Unix seconds; undefined for anything else. */
export function httpDate(text: string): HttpDate | undefined {
  // All answers of a second say the same.
  if (text !== latest.text) latest = { text, date: readDate(text) };
  return latest.date;
}

let latest: { readonly text: string; readonly date: HttpDate | undefined } = { text: '', date: undefined };

function readDate(text: string): HttpDate | undefined {
  const current = IMF_FIXDATE.exec(text);
  const match = current ?? RFC_850.exec(text) ?? ASCTIME.exec(text);
  const parts = match?.groups;
  if (parts === undefined) return undefined;
  const { year = '', month = '', day = '', h = '', m = '', s = '' } = parts;
  const milliseconds = Date.UTC(
    fullYear(year),
    MONTHS.indexOf(month),
    Number(day),
    Number(h),
    Number(m),
    Number(s),
  );
  return { seconds: milliseconds / 1000, obsolete: current === null };
}

/** A two-digit year far in the future means the past (RFC 9110 §5.6.7); fixed at 2000 to 2099 here, so that a journal reads the same for ever. */
const fullYear = (text: string): number => (text.length === 2 ? 2000 + Number(text) : Number(text));

/** Whether a Content-Type names `application/json`, in any case and with any parameters (RFC 9110 §8.3.1). */
export const saysJson = (type: string): boolean => /^application\/json[ \t]*(;.*)?$/i.test(type);
