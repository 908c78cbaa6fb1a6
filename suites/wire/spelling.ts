/** A character that a text spells at one place: its code point, and the place behind it. */
export interface Spelt {
  readonly code: number;
  readonly end: number;
}

const [PERCENT, BACKSLASH, LETTER_U] = [0x25, 0x5c, 0x75];

/** What JSON may write behind a backslash and is printable: a quotation mark, a backslash, a slash (RFC 8259 §7). */
const SHORT: ReadonlySet<number> = new Set([0x22, BACKSLASH, 0x2f]);

/** The character that stands at a place inside a text as it is: one UTF-16 unit, or a pair of surrogates. */
export function literalAt(text: string, at: number): Spelt {
  const code = text.codePointAt(at) ?? -1;
  return { code, end: at + (code > 0xffff ? 2 : 1) };
}

/** Whether a letter, a digit, an underscore or a hyphen stands at a place. */
export function isWord(text: string, at: number): boolean {
  const c = text.charCodeAt(at);
  if (c >= 0x61) return c <= 0x7a;
  if (c >= 0x41) return c <= 0x5a || c === 0x5f;
  return c === 0x2d || (c >= 0x30 && c <= 0x39);
}

/**
 * The character that stands at a place in an escape: percent-encoded UTF-8
 * (RFC 3986 §2.1), or an escape of JSON, in upper or lower case. Looks at twelve
 * UTF-16 units at most.
 */
export function escapedAt(text: string, at: number): Spelt | undefined {
  const sign = text.charCodeAt(at);
  if (sign === PERCENT) return percentAt(text, at);
  if (sign !== BACKSLASH) return undefined;
  const next = text.charCodeAt(at + 1);
  if (next === LETTER_U) return unitAt(text, at);
  return SHORT.has(next) ? { code: next, end: at + 2 } : undefined;
}

function percentAt(text: string, at: number): Spelt | undefined {
  const first = byteAt(text, at);
  const size = first === undefined ? 0 : sizeOf(first);
  if (first === undefined || size === 0) return undefined;
  let code = size === 1 ? first : first & (0x7f >> size);
  for (let i = 1; i < size; i += 1) {
    const byte = byteAt(text, at + 3 * i);
    if (byte === undefined || (byte & 0xc0) !== 0x80) return undefined;
    code = (code << 6) | (byte & 0x3f);
  }
  return { code, end: at + 3 * size };
}

/** How many bytes a character of UTF-8 has that begins with this one (RFC 3629 §3); 0 where none begins so. */
function sizeOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

const byteAt = (text: string, at: number): number | undefined =>
  text.charCodeAt(at) === PERCENT ? hexAt(text, at + 1, 2) : undefined;

/** `\uXXXX`, or two of them where they are a pair of surrogates. */
function unitAt(text: string, at: number): Spelt | undefined {
  const unit = hexAt(text, at + 2, 4);
  if (unit === undefined) return undefined;
  const low = isHigh(unit) && text.startsWith('\\u', at + 6) ? hexAt(text, at + 8, 4) : undefined;
  if (low === undefined || !isLow(low)) return { code: unit, end: at + 6 };
  return { code: 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00), end: at + 12 };
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** So many hexadecimal digits as a number. */
function hexAt(text: string, at: number, digits: number): number | undefined {
  let value = 0;
  for (let i = at; i < at + digits; i += 1) {
    const digit = digitOf(text.charCodeAt(i));
    if (digit === undefined) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

function digitOf(unit: number): number | undefined {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : undefined;
}
