import { ESCAPE, escapesAt, LONGEST_ESCAPE, OF_ESCAPES } from './escapes.ts';
import { codePointsOf } from './secret.ts';

/** A part of a text, from `start` up to and without `end`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** What occurrences of secrets are made of, literal and escaped. */
export interface Alphabet {
  /** The code points of the secrets. */
  readonly codes: ReadonlySet<number>;
  /** The UTF-16 units of the secrets, and those that escapes are written with. */
  readonly units: ReadonlySet<number>;
  /** The fewest UTF-16 units that an occurrence takes. */
  readonly shortest: number;
  /** The most UTF-16 units that an occurrence takes. */
  readonly longest: number;
}

/** Digits, and letters of names and of hexadecimal digits: what an escape may have beside its signs. */
const LETTERS_AND_DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFHUXGD';

/** The alphabet of secrets, of which none is empty. */
export function alphabetOf(secrets: readonly string[]): Alphabet {
  const lengths = secrets.map(({ length }) => length);
  return {
    codes: new Set(secrets.flatMap(codePointsOf)),
    units: new Set([...secrets, OF_ESCAPES, LETTERS_AND_DIGITS].flatMap(unitsOf)),
    // An escape of any form takes at least as many units as its character.
    shortest: Math.min(...lengths),
    longest: Math.max(...lengths) * LONGEST_ESCAPE,
  };
}

const unitsOf = (text: string): readonly number[] => text.split('').map((unit) => unit.charCodeAt(0));

/**
 * The parts of a text that may be a secret with an escaped character: what lies around each escape of a character of a
 * secret, no further than an occurrence is long, joined where they overlap. Every occurrence with an escape lies in
 * one of them. Data is full of escapes, so this makes the search some hundred times as fast; the time is linear in the
 * text.
 */
export function* escapedRanges(text: string, alphabet: Alphabet): Generator<TextRange> {
  const { codes, shortest, longest } = alphabet;
  let run: TextRange = { start: 0, end: 0 };
  let open: TextRange | undefined;
  for (const { index } of text.matchAll(ESCAPE)) {
    if (!escapesAt(text, index).some(({ code }) => codes.has(code))) continue;
    if (index >= run.end) run = runAround(text, index, alphabet);
    if (run.end - run.start < shortest) continue;
    const start = Math.max(run.start, index - longest);
    const end = Math.min(run.end, index + longest);
    if (open !== undefined && start <= open.end) {
      open = { start: open.start, end };
      continue;
    }
    if (open !== undefined) yield open;
    open = { start, end };
  }
  if (open !== undefined) yield open;
}

/** The longest part of a text around a place that consists of units of the alphabet. */
function runAround(text: string, place: number, { units }: Alphabet): TextRange {
  let [start, end] = [place, place];
  while (start > 0 && units.has(text.charCodeAt(start - 1))) start -= 1;
  while (end < text.length && units.has(text.charCodeAt(end))) end += 1;
  return { start, end };
}
