import type { ReadCharacter } from './escapes.ts';
import { ESCAPE, escapesAt, isWordCharacter, literalAt, readingsAt } from './escapes.ts';

/** A secret to find, not empty, and where it counts. */
export interface Sought {
  readonly value: string;
  /** Its place in the list of secrets: of several that begin at one place, the first is found. */
  readonly which: number;
  /** Whether it counts only where it is no part of a longer word. */
  readonly alone: boolean;
}

/** A place where a secret was found: from `start` up to and without `end`. */
export interface Occurrence {
  readonly start: number;
  readonly end: number;
  readonly which: number;
}

/** The characters at the beginning of a secret by which texts are looked through: no secret is shorter. */
const PREFIX = 4;

const HASHES = 65_536;

const hashAt = (text: string, at: number): number =>
  (text.charCodeAt(at) ^
    (text.charCodeAt(at + 1) << 3) ^
    (text.charCodeAt(at + 2) << 6) ^
    (text.charCodeAt(at + 3) << 9)) &
  (HASHES - 1);

/** Each character may be literal or escaped. Each place is looked at once, and read on from only where a secret may begin. */
export function searchFor(secrets: readonly Sought[]): (text: string) => readonly Occurrence[] {
  const nothing = new Beginning(secrets, 0);
  const marks = new Uint8Array(HASHES);
  for (const { value } of secrets) marks[hashAt(value, 0)] = 1;
  const characters = new Set(secrets.map(({ value }) => value).join(''));
  const codes = new Set([...characters].map((one) => one.codePointAt(0)));
  return (text) => {
    const found: Occurrence[] = [];
    // A text that repeats the beginning of a key is read on from many places.
    const readings = remembering((place: number) => readingsAt(text, place), REMEMBERED);
    let literalUntil = -1;
    for (let start = 0; start < text.length; start += 1) {
      if (literalUntil < start) literalUntil = nextEscape(text, start, codes);
      if (start + PREFIX <= literalUntil && marks[hashAt(text, start)] === 0) continue;
      const occurrence = occurrenceAt(text, start, literalUntil, nothing, readings);
      if (occurrence === undefined) continue;
      found.push(occurrence);
      start = occurrence.end - 1;
    }
    return found;
  };
}

type Readings = (place: number) => readonly ReadCharacter[];

/** More places than the longest key takes, each of its characters escaped. */
const REMEMBERED = 32_768;

/** The same function, which remembers what it found for the last values, at most so many. */
export function remembering<Of, Found>(find: (of: Of) => Found, most: number): (of: Of) => Found {
  const known = new Map<Of, Found>();
  return (of) => {
    const before = known.get(of);
    if (before !== undefined) return before;
    if (known.size === most) known.clear();
    const found = find(of);
    known.set(of, found);
    return found;
  };
}

/** The first place from here on with an escape of one of these characters; the end of the text where there is none. */
function nextEscape(text: string, from: number, codes: ReadonlySet<number | undefined>): number {
  ESCAPE.lastIndex = from;
  for (;;) {
    const found = ESCAPE.exec(text);
    if (found === null) return text.length;
    if (escapesAt(text, found.index).some(({ code }) => codes.has(code))) return found.index;
  }
}

/** The secrets that begin with the same characters. The next character divides them where a text has it: hardly any does. */
class Beginning {
  /** Those that consist of these characters. */
  readonly complete: readonly Sought[];
  readonly #longer: readonly Sought[];
  readonly #length: number;
  #byNext: ReadonlyMap<number, Beginning> | undefined;

  constructor(secrets: readonly Sought[], length: number) {
    this.complete = secrets.filter(({ value }) => value.length === length);
    this.#longer = secrets.filter(({ value }) => value.length > length);
    this.#length = length;
  }

  with(code: number): Beginning | undefined {
    this.#byNext ??= this.#divided();
    return this.#byNext.get(code);
  }

  #divided(): ReadonlyMap<number, Beginning> {
    const secretsByNext = new Map<number, Sought[]>();
    for (const secret of this.#longer) {
      const code = secret.value.codePointAt(this.#length) ?? 0;
      const others = secretsByNext.get(code);
      if (others === undefined) secretsByNext.set(code, [secret]);
      else others.push(secret);
    }
    return new Map(
      [...secretsByNext].map(([code, secrets]) => [
        code,
        new Beginning(secrets, this.#length + (code > 0xffff ? 2 : 1)),
      ]),
    );
  }
}

/** Up to the end of its longest match, so that a backslash is removed with the quotation mark after it. */
function occurrenceAt(
  text: string,
  start: number,
  literalUntil: number,
  nothing: Beginning,
  readings: Readings,
): Occurrence | undefined {
  let found: Occurrence | undefined;
  let read = nothing;
  let place = start;
  while (place < literalUntil) {
    const { code, end } = literalAt(text, place);
    const more = read.with(code);
    if (more === undefined) return found;
    [read, place] = [more, end];
    found = completed(text, start, place, read, found);
  }
  /** For each later place, what may have been read up to it. */
  const ahead = new Map([[place, new Set([read])]]);
  for (; ahead.size > 0; place += 1) {
    const beginnings = ahead.get(place);
    if (beginnings === undefined) continue;
    ahead.delete(place);
    for (const one of beginnings) found = completed(text, start, place, one, found);
    for (const { code, end } of readings(place)) {
      for (const one of beginnings) {
        const more = one.with(code);
        if (more !== undefined) ahead.set(end, (ahead.get(end) ?? new Set()).add(more));
      }
    }
  }
  return found;
}

/** What has been found where these characters end here: a secret that they are, unless another one is before it in the list. */
function completed(
  text: string,
  start: number,
  end: number,
  read: Beginning,
  found: Occurrence | undefined,
): Occurrence | undefined {
  let first = found;
  for (const secret of read.complete) {
    const isFirst = first === undefined || secret.which <= first.which;
    if (isFirst && !isPartOfWord(text, start, end, secret)) first = { start, end, which: secret.which };
  }
  return first;
}

/** Whether a secret counts for nothing here, because a word goes on beside it. */
const isPartOfWord = (text: string, start: number, end: number, { value, alone }: Sought): boolean =>
  alone &&
  ((isWordCharacter(value, value.length - 1) && isWordCharacter(text, end)) ||
    (isWordCharacter(value, 0) && isWordBefore(text, start)));

/** The name of a scheme, after which the space may be missing. */
const SCHEME_BEFORE = /(?:bearer|basic|token|apikey)$/i;

/** An escape that ends here, and has a letter or a digit at its end: a line break of JSON, a percent-encoding. */
const ESCAPE_BEFORE = /(?:\\[bfnrtv]|(?:%(?:25)*|\\x|\\u00)([0-9a-f]{2})|\\u[0-9a-f]{4})$/i;

/** The longest text that `ESCAPE_BEFORE` looks at. */
const LOOKED_AT = 12;

/** Whether a word goes on from before this place: the character before it is a letter or a digit, and ends no escape and no scheme. */
function isWordBefore(text: string, place: number): boolean {
  if (place === 0 || !isWordCharacter(text, place - 1)) return false;
  const before = text.slice(Math.max(0, place - LOOKED_AT), place);
  const found = ESCAPE_BEFORE.exec(before);
  if (found === null) return !SCHEME_BEFORE.test(before);
  const [, hex] = found;
  return hex !== undefined && isWordCharacter(String.fromCharCode(Number.parseInt(hex, 16)), 0);
}

/** Whether digits are a whole number of JSON, a part of one between its signs, or some digits of a longer one. */
type NumberAround = 'itself' | 'a part' | 'longer' | undefined;

const SPACE = /[ \t\r\n]/;
const OF_NUMBER = /[0-9.eE+-]/;

/** The most white space that is passed over beside a number. */
const MOST_SPACE = 64;

/** Whether the digits of a part of a text are a number in JSON, or belong to one; undefined where they do not. */
export function numberAround(text: string, start: number, end: number): NumberAround {
  let [from, to] = [start, end];
  while (start - from < MOST_SPACE && OF_NUMBER.test(text.charAt(from - 1))) from -= 1;
  while (to - end < MOST_SPACE && OF_NUMBER.test(text.charAt(to))) to += 1;
  if (!/[:[,]/.test(beside(text, from - 1, -1)) || !/[,\]}]/.test(beside(text, to, 1))) return undefined;
  if (from === start && to === end) return 'itself';
  const isLonger = isDigit(text.charAt(start - 1)) || isDigit(text.charAt(end));
  return isLonger ? 'longer' : 'a part';
}

const isDigit = (character: string): boolean => /[0-9]/.test(character);

/** The next character in this direction that is no white space; empty where there is none near. */
function beside(text: string, at: number, step: 1 | -1): string {
  let place = at;
  while (Math.abs(place - at) < MOST_SPACE && SPACE.test(text.charAt(place))) place += step;
  return text.charAt(place);
}
