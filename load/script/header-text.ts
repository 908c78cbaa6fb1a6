import type { HeaderLine } from '../../kernel/exchanges/exchange.ts';
import { parseHttpDate } from '../../kernel/exchanges/http-date.ts';
import { encodedForms } from '../../kernel/recording/redaction/encodings.ts';
import type { Redact } from '../../kernel/recording/redaction/redact.ts';
import { redactor } from '../../kernel/recording/redaction/redact.ts';

/** Characters kept of a header; no number or date in HTTP is longer. */
const LONGEST_TEXT = 64;

/** Characters of one word; no word of a number or date is longer. A longer one may be an encoded key. */
const LONGEST_WORD = 20;

/** The value of a gateway header may be "1"; replacing that everywhere would destroy the figures that are judged. */
const SHORTEST_SECRET_HEADER = 8;

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
 * A header value as a sample keeps it: a number or a date as it is, because that is judged, and any other text bounded
 * and without secrets. k6 joins the lines of a header with a comma; two equal lines become one again.
 * @param secrets of the run, from `secretsOf`.
 */
export function headerText(value: string, secrets: readonly string[]): string {
  const text = withoutRepetition(value.trim());
  return isFigure(text) ? text : boundedText(text, secrets);
}

/** A text of a target, bounded, and without anything that may be a secret, in whatever form the target echoes it. */
export function boundedText(text: string, secrets: readonly string[]): string {
  const safe = withoutLongWords(withoutSecrets(text, secrets));
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

/** A text with every secret replaced, escaped and encoded ones as well. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const redact = redactors.get(secrets) ?? redactorOf(secrets);
  redactors.set(secrets, redact);
  return redact(text);
}

/** By the list of secrets, which a virtual user keeps: most of them see no text that could hold one. */
const redactors = new WeakMap<readonly string[], Redact>();

function redactorOf(secrets: readonly string[]): Redact {
  const named = secrets.map((value) => ({ value, name: 'secret' }));
  return redactor([...named, ...named.flatMap(encodedForms)].sort((a, b) => b.value.length - a.value.length));
}

const withoutLongWords = (text: string): string =>
  text.replace(/[^\s,;:"'()[\]{}<>]+/g, (word) => (word.length > LONGEST_WORD ? '[long word]' : word));
