import { furthestEnd } from './furthest-end.ts';
import type { Spelt } from './spelling.ts';
import { escapedAt, isWord, literalAt } from './spelling.ts';

/** A text to be found, not empty, and where it counts. */
export interface Sought {
  readonly value: string;
  /** Found only where no letter, digit, underscore or hyphen follows. */
  readonly alone: boolean;
  /** Whether it counts at this place of a text, for what stands before it. */
  readonly mayBegin: (text: string, place: number) => boolean;
}

/** Where a text was found: from `start` up to `end`, and its number among those sought. */
export interface Occurrence {
  readonly start: number;
  readonly end: number;
  readonly which: number;
}

/** Bits in words of 32, and an empty word behind them: to read beyond the end of an array is slow. */
type Row = Int32Array;

/** What one character is in the texts sought, one bit for each character of each of them. */
interface Bits {
  /** Where it stands and more of the text follows. */
  readonly inner: Row;
  /** Where it ends a text; undefined where it ends none. */
  last?: Row;
  /** The same of texts that need not stand alone. */
  lastOfAny?: Row;
}

/** More places than the spelling of one character takes; a power of two, so that a mask finds the row of a place. */
const ROWS = 16;

/**
 * Finds texts in another text, each character as it is or escaped, in any
 * mixture. It reads backwards and keeps one bit for each character of each text
 * sought: whether that text stands here from this character on (Shift-And). A
 * step costs the same whatever came before, so the time grows with the length of
 * the text read and with nothing else in it. A regular expression tries each
 * place anew: `aaaab` in `aaaaaaaa` costs it five times as much, and backslashes,
 * each of which may be a character or half of an escape, double it one by one.
 */
export class Occurrences {
  readonly #sought: readonly Sought[];
  /** The bit of the first character of each text. */
  readonly #begins: readonly number[];
  readonly #first: Row;
  readonly #nothing: Row;
  readonly #firstWords: readonly number[];
  readonly #bits: ReadonlyMap<number, Bits>;
  /** The row of each place that was read last, where it has any bit. */
  readonly #rows: (Row | undefined)[] = [];
  /** Memory for rows: two for each place, the second for what an escape adds. */
  readonly #memory: readonly Row[];

  constructor(sought: readonly Sought[]) {
    this.#sought = sought;
    const codes = sought.map(({ value }) => codesOf(value));
    let size = 0;
    this.#begins = codes.map(({ length }) => {
      size += length;
      return size - length;
    });
    const row = (): Row => new Int32Array(Math.ceil(size / 32) + 1);
    this.#first = row();
    this.#nothing = row();
    for (const bit of this.#begins) setBit(this.#first, bit);
    this.#firstWords = wordsOf(this.#first);
    this.#memory = Array.from({ length: 2 * ROWS }, row);
    this.#bits = this.#learnt(codes, row);
  }

  #learnt(texts: readonly (readonly number[])[], row: () => Row): ReadonlyMap<number, Bits> {
    const learnt = new Map<number, Bits>();
    for (const [which, codes] of texts.entries()) {
      for (const [i, code] of codes.entries()) {
        const bits = learnt.get(code) ?? { inner: row() };
        learnt.set(code, bits);
        const bit = (this.#begins[which] ?? 0) + i;
        if (i + 1 < codes.length) {
          setBit(bits.inner, bit);
          continue;
        }
        bits.last ??= row();
        setBit(bits.last, bit);
        if (this.#sought[which]?.alone === true) continue;
        bits.lastOfAny ??= row();
        setBit(bits.lastOfAny, bit);
      }
    }
    return learnt;
  }

  /** Where they are found, in order, none over another: of several at one place the one that was named first. */
  *in(text: string): Generator<Occurrence> {
    const beginnings = this.#beginnings(text);
    if (beginnings === undefined) return;
    for (let start = 0; start < text.length; start += 1) {
      const which = (beginnings[start] ?? 0) - 1;
      const sought = this.#sought[which];
      if (sought === undefined) continue;
      const end = furthestEnd(text, start, sought);
      yield { start, end, which };
      start = Math.max(end - 1, start);
    }
  }

  /** For each place the number of the text that begins there, counted from 1, or 0; undefined where none is found. */
  #beginnings(text: string): Uint16Array | undefined {
    let found: Uint16Array | undefined;
    this.#rows.splice(0, ROWS, ...Array.from({ length: ROWS }, () => undefined));
    for (let place = text.length - 1; place >= 0; place -= 1) {
      const row = this.#read(text, place);
      this.#rows[place & (ROWS - 1)] = row;
      if (row === undefined || !meet(row, this.#first, this.#firstWords)) continue;
      const which = this.#sought.findIndex(
        ({ mayBegin }, i) => isSet(row, this.#begins[i] ?? 0) && mayBegin(text, place),
      );
      if (which === -1) continue;
      found ??= new Uint16Array(text.length);
      found[place] = which + 1;
    }
    return found;
  }

  /** The row of a place; undefined where it has no bit. */
  #read(text: string, place: number): Row | undefined {
    const slot = 2 * (place & (ROWS - 1));
    const literal = this.#before(text, literalAt(text, place), this.#memory[slot]);
    const spelt = escapedAt(text, place);
    const escaped = spelt === undefined ? undefined : this.#before(text, spelt, this.#memory[slot + 1]);
    if (literal === undefined || escaped === undefined) return literal ?? escaped;
    return join(literal, escaped, this.#memory[slot]);
  }

  /** The row of a place where a character stands before another place; undefined where it has no bit. */
  #before(text: string, { code, end }: Spelt, memory: Row | undefined): Row | undefined {
    const bits = this.#bits.get(code);
    if (bits === undefined) return undefined;
    const last = isWord(text, end) ? bits.lastOfAny : bits.last;
    const behind = this.#rows[end & (ROWS - 1)];
    if (behind === undefined || memory === undefined) return last;
    return shifted(behind, bits.inner, last ?? this.#nothing, memory) ? memory : undefined;
  }
}

/** The code points of a text. */
const codesOf = (text: string): readonly number[] => [...text].map((one) => one.codePointAt(0) ?? 0);

/** Moves each bit to where the one before it stood, keeps those of `mask`, adds those of `more`, and says whether there is any. */
function shifted(row: Row, mask: Row, more: Row, into: Row): boolean {
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

/** The bits of both rows. */
function join(one: Row, other: Row, into: Row = one): Row {
  for (let i = 0; i < into.length; i += 1) into[i] = (one[i] ?? 0) | (other[i] ?? 0);
  return into;
}

/** Whether two rows have a bit in common in any of these words. */
function meet(one: Row, other: Row, words: readonly number[]): boolean {
  for (const i of words) if (((one[i] ?? 0) & (other[i] ?? 0)) !== 0) return true;
  return false;
}

/** The words of a row that have any bit. */
const wordsOf = (row: Row): readonly number[] => [...row.keys()].filter((i) => row[i] !== 0);

const isSet = (row: Row, bit: number): boolean => (((row[bit >>> 5] ?? 0) >>> (bit & 31)) & 1) === 1;

function setBit(row: Row, bit: number): void {
  row[bit >>> 5] = (row[bit >>> 5] ?? 0) | (1 << (bit & 31));
}
