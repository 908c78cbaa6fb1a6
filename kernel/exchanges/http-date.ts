import type { Answer, Exchange } from './exchange.ts';
import { answerOf, headerValue } from './headers.ts';

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

/** A date as a header states it. */
export interface HttpDate {
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

/** The `Date` of a response in Unix seconds, or undefined where it is absent or no HTTP-date. */
export function dateHeaderSeconds(answer: Answer | undefined): number | undefined {
  const text = answer === undefined ? undefined : headerValue(answer.headers, 'Date');
  return text === undefined ? undefined : parseHttpDate(text)?.seconds;
}

/** Whether a response has no usable Date, which would say at which time by its own clock it was sent. */
export const isUndated = (exchange: Exchange): boolean => dateHeaderSeconds(answerOf(exchange)) === undefined;
