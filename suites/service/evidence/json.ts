import { isLosslessNumber, LosslessNumber, parse } from 'lossless-json';
import { quoted, shortened } from '../../../kernel/basics/text.ts';
import { endOfString } from '../../../kernel/exchanges/body.ts';
import { once } from '../../../kernel/exchanges/collections.ts';
import type { Body } from '../../../kernel/exchanges/exchange.ts';

export interface Json {
  readonly kind: 'json';
  /** With every number as its text (`LosslessNumber`). */
  readonly value: unknown;
  /** The first name that one object has twice with different values, where there is one; the last value counts. */
  readonly repeated?: string | undefined;
}

type JsonBody =
  | Json
  | { readonly kind: 'not json'; readonly because: string }
  | { readonly kind: 'unjudged'; readonly because: string };

/** Deeper than any real answer, and shallow enough for every recursive reader. */
const MAX_DEPTH = 200;

/** More values than a list of categories of the most bytes that are kept can hold; to read them costs more than it shows. */
const MAX_VALUES = 1_000_000;

/** Reads a body once, without losing a digit. Never throws, whatever the bytes. */
export const jsonOf = once((body: Body): JsonBody => {
  if (body.cut) return { kind: 'unjudged', because: `only the first part of ${body.bytes} bytes was kept` };
  if (body.encoding === 'base64')
    return { kind: 'not json', because: 'its bytes are not UTF-8 (RFC 8259 §8.1)' };
  const { depth, values } = extentOf(body.text);
  if (depth > MAX_DEPTH) return { kind: 'unjudged', because: `it is nested deeper than ${MAX_DEPTH} levels` };
  if (values > MAX_VALUES) return { kind: 'unjudged', because: `it holds more than ${MAX_VALUES} values` };
  // RFC 8259 §8.1: a reader may ignore a byte order mark.
  const text = body.text.replace(/^\uFEFF/, '');
  try {
    const plain: unknown = JSON.parse(text);
    // Nearly every body is written so: each number as its shortest text, and no name twice. Then this is as exact, and ten times as fast.
    if (JSON.stringify(plain) === text) return { kind: 'json', value: JSON.parse(text, withNumberText) };
    let repeated: string | undefined;
    const value = parse(text, undefined, {
      onDuplicateKey({ key, newValue }) {
        repeated ??= key;
        return newValue;
      },
    });
    return { kind: 'json', value, repeated };
  } catch (error) {
    return { kind: 'not json', because: error instanceof Error ? error.message : String(error) };
  }
});

const withNumberText = (_name: string, value: unknown): unknown =>
  typeof value === 'number' ? new LosslessNumber(String(value)) : value;

/** The JSON value of a body; undefined where there is no body, it is not JSON, or that is undecided. */
export function jsonIn(body: Body | null | undefined): unknown {
  const read = body === null || body === undefined ? undefined : jsonOf(body);
  return read?.kind === 'json' ? read.value : undefined;
}

/** The own fields of a body that is a JSON object; undefined for every other body. */
export const bodyFields = (body: Body | null | undefined): ReadonlyMap<string, unknown> | undefined =>
  fieldsOf(jsonIn(body));

/** How deep brackets nest outside of strings, and about how many values there are; a scan, so that no depth can overflow the stack. */
function extentOf(text: string): { readonly depth: number; readonly values: number } {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i];
    if (c === '"') i = endOfString(text, i);
    else if (c === ',') values += 1;
    else if (c === '[' || c === '{') {
      values += 1;
      deepest = Math.max(deepest, ++depth);
    } else if (c === ']' || c === '}') depth -= 1;
  }
  return { depth: deepest, values };
}

/** The own fields of a JSON object; undefined for every other value. */
export function fieldsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isLosslessNumber(value))
    return undefined;
  return new Map(Object.entries(value));
}

/** The text of a JSON number as it stood there; undefined for every other value. */
export function numberText(value: unknown): string | undefined {
  return isLosslessNumber(value) ? value.value : undefined;
}

export function stringsIn(value: unknown): readonly string[] {
  const found: string[] = [];
  // One list for all levels: to join those of every level would copy each string as often as it is deep.
  const collect = (part: unknown): void => {
    if (typeof part === 'string') found.push(part);
    else if (Array.isArray(part)) part.forEach(collect);
    else fieldsOf(part)?.forEach(collect);
  };
  collect(value);
  return found;
}

/** A JSON value inside a sentence. Values are quoted without descending into them, so no depth can hurt. */
export function jsonValueText(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  // In quotes it would read like a string, which is what most of these numbers should have been.
  if (isLosslessNumber(value)) return shortened(value.value);
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  return String(value);
}

/** More digits than an int64 has; what is longer is out of range whatever it is. */
const MOST_DIGITS = 19;

/** A JSON number as an integer: its value, `beyond` where it has more digits than an int64, `none` where it is no integer. */
type Integer = bigint | 'beyond' | 'none';

/** Exactly and without expanding it: `1e3` is one, `1e-9999999999` is none although a double rounds it to 0. Linear in the text. */
export function integerOf(text: string): Integer {
  const parts = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(text);
  if (parts === null) return 'none';
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return 0n;
  const significant = withoutZerosBehind(digits);
  // An exponent that a number does not hold exactly is too large for its last digits to matter.
  const shift = Number(exponent) - fraction.length + (digits.length - significant.length);
  if (shift < 0) return 'none';
  if (significant.length + shift > MOST_DIGITS) return 'beyond';
  const value = BigInt(significant + '0'.repeat(shift));
  return sign === '-' ? -value : value;
}

/** By a loop: an expression that ends with `0+$` is quadratic in the zeros before another digit. */
function withoutZerosBehind(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** The text of a JSON number in one form for one integer, so that 7 and 7.0 are the same; any other number as it stands there. */
export function canonical(text: string): string {
  const integer = integerOf(text);
  return typeof integer === 'bigint' ? String(integer) : text;
}
