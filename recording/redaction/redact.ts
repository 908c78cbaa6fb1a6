import { alphabetOf, escapedRanges } from './escaped-ranges.ts';
import type { Secret, Sought } from './secret.ts';
import { SecretSearch } from './secret-search.ts';

/** Replaces every secret in a text by its name in brackets. */
export type Redact = (text: string) => string;

/**
 * A key that is shorter, or of digits alone, is only replaced where a credential
 * or a string may begin: replacing every "a" or every 60 would destroy evidence.
 */
const SHORT_KEY = 8;

/**
 * Makes the function that replaces `secrets`, which are given longest first. A
 * secret is found as it is, percent-encoded, and in JSON escapes (`\u0068`,
 * `\"`), in any mixture of the three, because a target may echo it in any of
 * them. The time is linear in the length of the text, for any text and secrets.
 */
export function redactor(secrets: readonly Secret[]): Redact {
  const named = secrets.filter(({ value }) => value !== '');
  if (named.length === 0) return (text) => text;
  const sought = named.map(soughtOf);
  const search = new SecretSearch(sought);
  const alphabet = alphabetOf(named.map(({ value }) => value));
  return remembering((text) => {
    // The engine's own search takes a tenth of the time, and hardly any text contains a key.
    const hasLiteral = named.some(({ value }) => text.includes(value));
    if (!hasLiteral && !mayHaveEscaped(text)) return text;
    let redacted = '';
    let from = 0;
    for (const { start, end, which } of search.find(text)) {
      redacted += `${text.slice(from, start)}[${named[which]?.name ?? 'key'}]`;
      from = end;
    }
    return redacted + text.slice(from);
  });

  /** Whether a text without a literal secret may have an escaped one. For a short secret the text before it counts, too, so the whole text is searched. */
  function mayHaveEscaped(text: string): boolean {
    if (sought.some(({ alone }) => alone)) return /[%\\]/.test(text);
    for (const { start, end } of escapedRanges(text, alphabet)) {
      for (const _ of search.find(text.slice(start, end))) return true;
    }
    return false;
  }
}

/** How many texts are remembered, and the most characters of one: header lines are the same in every exchange of a run. */
const REMEMBERED = { texts: 1000, characters: 100 };

/** The same function, which searches a short text only once. */
function remembering(redact: Redact): Redact {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > REMEMBERED.characters) return redact(text);
    const redacted = known.get(text) ?? redact(text);
    if (known.size < REMEMBERED.texts) known.set(text, redacted);
    return redacted;
  };
}

function soughtOf({ value }: Secret): Sought {
  const digits = /^[0-9]+$/.test(value);
  if (value.length >= SHORT_KEY && !digits) return { value, alone: false, mayBegin: () => true };
  return {
    value,
    alone: true,
    mayBegin: (text, place) => (place === 0 ? !digits : mayBeginValue(text, place)),
  };
}

const SCHEMES = ['bearer', 'basic', 'token'] as const;
const LONGEST_SCHEME = Math.max(...SCHEMES.map(({ length }) => length));

/**
 * Whether a credential or a string may begin at a place: after a quotation mark,
 * an equals sign, or a scheme and white space. No key begins with white space, so
 * each run of white space is read only once.
 */
function mayBeginValue(text: string, place: number): boolean {
  if (/["'=]/.test(text.charAt(place - 1))) return true;
  let end = place;
  while (end > 0 && /\s/.test(text.charAt(end - 1))) end -= 1;
  if (end === place) return false;
  const before = text.slice(Math.max(0, end - LONGEST_SCHEME), end).toLowerCase();
  return SCHEMES.some((scheme) => before.endsWith(scheme));
}
