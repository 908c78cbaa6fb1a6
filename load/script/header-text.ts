import type { HeaderLine } from '../../exchanges/exchange.ts';
import { parseHttpDate } from '../../exchanges/http-date.ts';

/** Characters kept of a header; no number or date in HTTP is longer. */
const LONGEST_TEXT = 64;

/** Characters of one word; no word of a number or date is longer. A longer one may be an encoded key. */
const LONGEST_WORD = 20;

/** The value of a gateway header may be "1"; replacing that everywhere would destroy the figures that are judged. */
const SHORTEST_SECRET_HEADER = 8;

/** A shorter key may be part of a number or date by chance; replacing it there would destroy what is judged. */
const SHORTEST_SECRET_IN_FIGURES = 8;

/** What no sample may contain: the keys of a run and the values of gateway headers; the longest first, so that no part of one remains. */
export const secretsOf = (
  keys: readonly (string | undefined)[],
  headers: readonly HeaderLine[],
): readonly string[] =>
  [
    ...keys.map((key = '') => key),
    ...headers.flatMap(([, value]) => (value.length < SHORTEST_SECRET_HEADER ? [] : value)),
  ]
    .filter((secret) => secret !== '')
    .sort((a, b) => b.length - a.length);

/**
 * A header value as a sample keeps it: bounded, and without anything that may
 * be a secret, in whatever form a target echoes it. k6 joins the lines of a
 * header with a comma; two equal lines become one again.
 * @param secrets of the run, from `secretsOf`.
 */
export function headerText(value: string, secrets: readonly string[]): string {
  const text = withoutRepetition(value.trim());
  const applicable = isFigure(text)
    ? secrets.filter(({ length }) => length >= SHORTEST_SECRET_IN_FIGURES)
    : secrets;
  const safe = withoutLongWords(withoutSecrets(text, applicable));
  return safe.length > LONGEST_TEXT ? `${safe.slice(0, LONGEST_TEXT)}…` : safe;
}

/** The error text of k6 for a request without a response, bounded and cleaned in the same way. */
export const errorText = (error: string, secrets: readonly string[]): string =>
  withoutLongWords(withoutSecrets(error, secrets)).slice(0, 200);

function withoutRepetition(text: string): string {
  const half = text.slice(0, (text.length - 2) / 2);
  return text === `${half}, ${half}` ? half : text;
}

/** Whether a text is a number or a date, as in the rate-limit headers. */
const isFigure = (text: string): boolean =>
  /^[0-9]{1,15}(\.[0-9]{1,9})?$/.test(text) || parseHttpDate(text) !== undefined;

/**
 * A text with every secret replaced, all of them in one pass: replaced one after the
 * other, a key of one letter would also match inside the placeholder of another key, and
 * the text would keep growing.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  if (secrets.length === 0) return text;
  const any = secrets.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|');
  return text.replace(new RegExp(any, 'g'), '[secret]');
}

const withoutLongWords = (text: string): string =>
  text.replace(/[^\s,;:"'()[\]{}<>]+/g, (word) => (word.length > LONGEST_WORD ? '[long word]' : word));
