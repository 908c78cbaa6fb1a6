import type { HeaderLine } from '../../exchanges/exchange.ts';
import { parseHttpDate } from '../../exchanges/http-date.ts';

/** No number and no date of HTTP is longer. */
const LONGEST = 64;

/** No word of a number or a date is longer, and no key is shorter that would be one. */
const LONGEST_WORD = 20;

/** A gateway's header may say "1"; replacing that everywhere would destroy the figures that are judged. */
const SHORTEST_HEADER = 8;

/** A key that is shorter may stand in a number or a date by chance, where replacing it would destroy what is judged. */
const SHORTEST_IN_FIGURES = 8;

/** What must not stand in any sample: the keys of a run, and what a gateway is told; the longest first, so that no part is left over. */
export const secretsOf = (
  keys: readonly (string | undefined)[],
  headers: readonly HeaderLine[],
): readonly string[] =>
  [
    ...keys.map((key = '') => key),
    ...headers.flatMap(([, value]) => (value.length < SHORTEST_HEADER ? [] : value)),
  ]
    .filter((secret) => secret !== '')
    .sort((a, b) => b.length - a.length);

/**
 * A header's value as a sample keeps it: bounded, and without anything that may
 * be a secret, in whatever form a target says it back. k6 joins the lines of a
 * header with a comma: two that say the same become one again.
 * @param secrets those of the run, as `secretsOf` has them.
 */
export function headerText(value: string, secrets: readonly string[]): string {
  const text = halfOf(value.trim());
  const hidden = isFigure(text) ? secrets.filter(({ length }) => length >= SHORTEST_IN_FIGURES) : secrets;
  const kept = withoutLongWords(without(text, hidden));
  return kept.length > LONGEST ? `${kept.slice(0, LONGEST)}…` : kept;
}

/** What k6 says of a request without an answer, bounded in the same way. */
export const errorText = (error: string, secrets: readonly string[]): string =>
  withoutLongWords(without(error, secrets)).slice(0, 200);

function halfOf(text: string): string {
  const half = text.slice(0, (text.length - 2) / 2);
  return text === `${half}, ${half}` ? half : text;
}

/** A number or a date, as the headers of a rate have them. */
const isFigure = (text: string): boolean =>
  /^[0-9]{1,15}(\.[0-9]{1,9})?$/.test(text) || parseHttpDate(text) !== undefined;

/**
 * A text with every secret taken out of it, all of them at once: one after the
 * other, a key of one letter would be found in what stands for another key, and
 * several of them would make a text grow without end.
 */
export function without(text: string, secrets: readonly string[]): string {
  if (secrets.length === 0) return text;
  const any = secrets.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|');
  return text.replace(new RegExp(any, 'g'), '[secret]');
}

const withoutLongWords = (text: string): string =>
  text.replace(/[^\s,;:"'()[\]]+/g, (word) => (word.length > LONGEST_WORD ? '[long word]' : word));
