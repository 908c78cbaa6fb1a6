import type { ReadCharacter, Sought, TextRange } from './escapes.ts';
import { codePointsOf, escapesAt, isWordCharacter, literalAt } from './escapes.ts';

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

const positionsBySecret = new WeakMap<Sought, ReadonlyMap<number, bigint>>();

/**
 * The end of the longest match of a secret at a place, literal or escaped, so that a backslash is removed with the
 * quotation mark after it; the place itself where nothing matches. `ahead` holds, for each later place, one bit for
 * each number of characters of the secret that may have been read up to it.
 */
function endOfLongestMatch(text: string, start: number, sought: Sought): number {
  const positions = positionsBySecret.get(sought) ?? positionsOf(sought);
  positionsBySecret.set(sought, positions);
  const all = 1n << BigInt(codePointsOf(sought.value).length);
  const ahead = new Map([[start, 1n]]);
  let end = start;
  const isOpen = sought.alone && isWordCharacter(sought.value, sought.value.length - 1);
  for (let place = start; ahead.size > 0; place += 1) {
    const read = ahead.get(place);
    if (read === undefined) continue;
    ahead.delete(place);
    if ((read & all) !== 0n && !(isOpen && isWordCharacter(text, place))) end = place;
    for (const character of [literalAt(text, place), ...escapesAt(text, place)]) {
      const more = (read << 1n) & (positions.get(character.code) ?? 0n);
      if (more !== 0n) ahead.set(character.end, (ahead.get(character.end) ?? 0n) | more);
    }
  }
  return end;
}

/** For each character, the numbers of characters that have been read after it. */
function positionsOf({ value }: Sought): ReadonlyMap<number, bigint> {
  const positions = new Map<number, bigint>();
  for (const [i, code] of codePointsOf(value).entries()) {
    positions.set(code, (positions.get(code) ?? 0n) | (1n << BigInt(i + 1)));
  }
  return positions;
}

/** Where a secret was found, and its index among the secrets. */
export interface Occurrence extends TextRange {
  readonly which: number;
}

/** Bits in words of 32, and an empty word after them: reading beyond the end of an array is slow. */
type BitRow = Int32Array;

/** Where one character occurs in the secrets, one bit for each character of each secret. */
interface Bits {
  /** Where it occurs before the last character. */
  readonly inner: BitRow;
  /** Where it is the last character; undefined if nowhere. */
  last?: BitRow;
  /** The same for secrets that a word character may follow. */
  lastOfAny?: BitRow;
}

/** More places than an escaped character takes; a power of two, so that a mask finds the row of a place. */
const ROWS = 64;

/**
 * Finds secrets in a text, each character literal or escaped, in any mixture. It reads backwards and keeps one bit
 * for each character of each secret: whether the rest of the secret is found from here on (Shift-And). The time is
 * linear, where a regular expression starts again at each place.
 */
export class SecretSearch {
  readonly #sought: readonly Sought[];
  /** The bit of the first character of each secret. */
  readonly #begins: readonly number[];
  readonly #first: BitRow;
  readonly #noBits: BitRow;
  readonly #firstWords: readonly number[];
  readonly #bits: ReadonlyMap<number, Bits>;
  /** The rows of the places that were read last, if they have any bit. */
  readonly #rows = new Array<BitRow | undefined>(ROWS).fill(undefined);
  /** Memory for rows: two for each place, the second for what an escape adds. */
  readonly #memory: readonly BitRow[];

  constructor(sought: readonly Sought[]) {
    this.#sought = sought;
    const codes = sought.map(({ value }) => codePointsOf(value));
    let size = 0;
    this.#begins = codes.map(({ length }) => {
      size += length;
      return size - length;
    });
    const row = (): BitRow => new Int32Array(Math.ceil(size / 32) + 1);
    this.#first = row();
    this.#noBits = row();
    for (const bit of this.#begins) setBit(this.#first, bit);
    this.#firstWords = wordsOf(this.#first);
    this.#memory = Array.from({ length: 2 * ROWS }, row);
    this.#bits = this.#bitsOf(codes, row);
  }

  #bitsOf(texts: readonly (readonly number[])[], row: () => BitRow): ReadonlyMap<number, Bits> {
    const bitsByCharacter = new Map<number, Bits>();
    for (const [which, codes] of texts.entries()) {
      for (const [i, code] of codes.entries()) {
        const bits = bitsByCharacter.get(code) ?? { inner: row() };
        bitsByCharacter.set(code, bits);
        const bit = (this.#begins[which] ?? 0) + i;
        if (i + 1 < codes.length) {
          setBit(bits.inner, bit);
          continue;
        }
        bits.last ??= row();
        setBit(bits.last, bit);
        if (this.#sought[which]?.alone === true && endsWithWord(codes)) continue;
        bits.lastOfAny ??= row();
        setBit(bits.lastOfAny, bit);
      }
    }
    return bitsByCharacter;
  }

  /** The places of secrets, in order and without overlap: of several at one place the first one in the list. */
  *find(text: string): Generator<Occurrence> {
    const beginnings = this.#beginnings(text);
    if (beginnings === undefined) return;
    for (let start = 0; start < text.length; start += 1) {
      const which = (beginnings[start] ?? 0) - 1;
      const sought = this.#sought[which];
      if (sought === undefined) continue;
      const end = endOfLongestMatch(text, start, sought);
      yield { start, end, which };
      start = Math.max(end - 1, start);
    }
  }

  /** For each place the number of the secret that begins there, counted from 1, or 0; undefined where none is found. */
  #beginnings(text: string): Uint16Array | undefined {
    let found: Uint16Array | undefined;
    this.#rows.fill(undefined);
    for (let place = text.length - 1; place >= 0; place -= 1) {
      const row = this.#read(text, place);
      this.#rows[place & (ROWS - 1)] = row;
      if (row === undefined || !meet(row, this.#first, this.#firstWords)) continue;
      const which = this.#sought.findIndex(
        ({ value, alone }, i) =>
          isSet(row, this.#begins[i] ?? 0) &&
          !(alone && isWordCharacter(value, 0) && isWordBefore(text, place)),
      );
      if (which === -1) continue;
      found ??= new Uint16Array(text.length);
      found[place] = which + 1;
    }
    return found;
  }

  /** The row of a place; undefined where it has no bit. */
  #read(text: string, place: number): BitRow | undefined {
    const slot = 2 * (place & (ROWS - 1));
    const [own, other] = [this.#memory[slot], this.#memory[slot + 1]];
    let row = this.#before(text, literalAt(text, place), own);
    for (const escaped of escapesAt(text, place)) {
      const more = this.#before(text, escaped, other);
      if (more !== undefined) row = join(row ?? this.#noBits, more, own);
    }
    return row;
  }

  /** The row of a place by the character there and the row after it; undefined where it has no bit. */
  #before(text: string, { code, end }: ReadCharacter, memory?: BitRow): BitRow | undefined {
    const bits = this.#bits.get(code);
    if (bits === undefined) return undefined;
    const last = isWordCharacter(text, end) ? bits.lastOfAny : bits.last;
    const next = this.#rows[end & (ROWS - 1)];
    if (next === undefined || memory === undefined) return last;
    return shifted(next, bits.inner, last ?? this.#noBits, memory) ? memory : undefined;
  }
}

/** Whether the last character of a secret is a letter or a digit, which another one may continue. */
const endsWithWord = (codes: readonly number[]): boolean =>
  isWordCharacter(String.fromCodePoint(codes.at(-1) ?? 0), 0);

/** Moves each bit to the place before it, keeps those of `mask`, adds those of `more`, and returns whether there is any. */
function shifted(row: BitRow, mask: BitRow, more: BitRow, into: BitRow): boolean {
  let any = 0;
  let word = row[0] ?? 0;
  for (let i = 0; i < row.length - 1; i += 1) {
    const next = row[i + 1] ?? 0;
    const bits = (((word >>> 1) | (next << 31)) & (mask[i] ?? 0)) | (more[i] ?? 0);
    into[i] = bits;
    any |= bits;
    word = next;
  }
  return any !== 0;
}

function join(one: BitRow, other: BitRow, into: BitRow = one): BitRow {
  for (let i = 0; i < into.length; i += 1) into[i] = (one[i] ?? 0) | (other[i] ?? 0);
  return into;
}

function meet(one: BitRow, other: BitRow, words: readonly number[]): boolean {
  for (const i of words) if (((one[i] ?? 0) & (other[i] ?? 0)) !== 0) return true;
  return false;
}

/** The indexes of the words of a row that have any bit. */
const wordsOf = (row: BitRow): readonly number[] => [...row.keys()].filter((i) => row[i] !== 0);

const isSet = (row: BitRow, bit: number): boolean => (((row[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1;

function setBit(row: BitRow, bit: number): void {
  row[bit >>> 5] = (row[bit >>> 5] ?? 0) | (1 << (bit & 31));
}
