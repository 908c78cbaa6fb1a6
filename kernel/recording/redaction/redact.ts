import { numberAround } from './boundaries.ts';
import { alphabetOf, escapedRanges } from './escaped-ranges.ts';
import { ESCAPE } from './escapes.ts';
import { isOfProtocol } from './protocol-words.ts';
import type { Secret, Sought } from './secret.ts';
import type { Occurrence } from './secret-search.ts';
import { SecretSearch } from './secret-search.ts';

/** Replaces every secret in a text by its name in brackets. */
export type Redact = (text: string) => string;

/** A shorter secret is only replaced where it is no part of a longer word: it may be one of another by chance. */
const SHORTEST_IN_WORDS = 8;

/** A text that is shorter is no secret: it occurs everywhere by chance. */
const SHORTEST_SECRET = 5;

/**
 * Makes the function that replaces `secrets`, which are given longest first. A value that is a secret, or a token of a
 * value, is always replaced; from eight characters on, it is also replaced within longer words. Each character may be
 * escaped (`escapes.ts`), in any mixture. Words of the protocol are no secrets. A number of JSON that is the secret
 * becomes a negative one, and so do its bytes, so that JSON stays what it was. The time is linear in the length of the text.
 */
export function redactor(secrets: readonly Secret[]): Redact {
  const named = secrets.filter(({ value }) => value.length >= SHORTEST_SECRET && !isOfProtocol(value));
  if (named.length === 0) return (text) => text;
  const sought = named.map(soughtOf);
  const search = new SecretSearch(sought);
  const alphabet = alphabetOf(named.map(({ value }) => value));
  const mayHaveLiteral = literalFilter(named.map(({ value }) => value));
  return remembering((text) => {
    if (!mayHaveLiteral(text) && !mayHaveEscaped(text)) return text;
    let redacted = '';
    let from = 0;
    for (const found of search.find(text)) {
      redacted += `${text.slice(from, found.start)}${replacementOf(text, found)}`;
      from = found.end;
    }
    return redacted + text.slice(from);
  });

  /** Whether a text without a literal secret may have an escaped one. For a short secret the text before it counts, too, so the whole text is searched. */
  function mayHaveEscaped(text: string): boolean {
    if (sought.some(({ alone }) => alone)) return text.search(ESCAPE) !== -1;
    for (const { start, end } of escapedRanges(text, alphabet)) {
      for (const _ of search.find(text.slice(start, end))) return true;
    }
    return false;
  }

  function replacementOf(text: string, { start, end, which }: Occurrence): string {
    const secret = named[which];
    if (secret === undefined) return '';
    const isLiteral = text.slice(start, end) === secret.value;
    const name = `[${isLiteral ? secret.name : (secret.escapedName ?? secret.name)}]`;
    if (!/^[0-9]+(?:, ?[0-9]+)*$/.test(secret.value)) return name;
    const number = numberAround(text, start, end);
    if (number === undefined) return name;
    if (number === 'longer') return text.slice(start, end);
    return number === 'itself' ? `-${which + 1}` : '0';
  }
}

/** The characters at the beginning of a secret by which texts are looked through: no secret is shorter. */
const PREFIX = 4;

/**
 * Makes the test whether a text has one of these values as it is. It looks at each place once, however many values there
 * are; hardly any text has one.
 */
function literalFilter(values: readonly string[]): (text: string) => boolean {
  const byHash = new Map<number, string[]>();
  const marks = new Uint8Array(HASHES);
  for (const value of values) {
    const hash = hashAt(value, 0);
    marks[hash] = 1;
    byHash.set(hash, [...(byHash.get(hash) ?? []), value]);
  }
  return (text) => {
    for (let at = 0; at <= text.length - PREFIX; at += 1) {
      const hash = hashAt(text, at);
      if (marks[hash] === 0) continue;
      for (const value of byHash.get(hash) ?? []) if (text.startsWith(value, at)) return true;
    }
    return false;
  };
}

const HASHES = 4096;

const hashAt = (text: string, at: number): number =>
  (text.charCodeAt(at) ^
    (text.charCodeAt(at + 1) << 3) ^
    (text.charCodeAt(at + 2) << 6) ^
    (text.charCodeAt(at + 3) << 9)) &
  (HASHES - 1);

/** How many texts are remembered, and the most characters of one: header lines and lists are the same in many exchanges of a run. */
const REMEMBERED = { texts: 1000, characters: 4000 };

/** The same function, which searches a text that is not long only once. */
function remembering(redact: Redact): Redact {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > REMEMBERED.characters) return redact(text);
    const redacted = known.get(text) ?? redact(text);
    if (known.size < REMEMBERED.texts) known.set(text, redacted);
    return redacted;
  };
}

const soughtOf = ({ value, encoded = false }: Secret): Sought => ({
  value,
  alone: value.length < SHORTEST_IN_WORDS && !encoded,
});
