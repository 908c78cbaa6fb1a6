/** A character at a place of a text: its code point, and the place after it. */
export interface ReadCharacter {
  readonly code: number;
  readonly end: number;
}

const [PERCENT, BACKSLASH, LETTER_U] = [0x25, 0x5c, 0x75];

/** Printable characters that JSON may escape by a backslash alone: a quotation mark, a backslash, a slash (RFC 8259 §7). */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([0x22, BACKSLASH, 0x2f]);

/** The literal character at a place of a text: one UTF-16 unit, or a surrogate pair. */
export function literalAt(text: string, at: number): ReadCharacter {
  const code = text.codePointAt(at) ?? -1;
  return { code, end: at + (code > 0xffff ? 2 : 1) };
}

/** Whether there is a letter, digit, underscore or hyphen at a place. */
export function isWordCharacter(text: string, at: number): boolean {
  const c = text.charCodeAt(at);
  if (c >= 0x61) return c <= 0x7a;
  if (c >= 0x41) return c <= 0x5a || c === 0x5f;
  return c === 0x2d || (c >= 0x30 && c <= 0x39);
}

/**
 * The escaped character at a place: percent-encoded UTF-8 (RFC 3986 §2.1), or a
 * JSON escape, in upper or lower case; undefined where there is none. Reads at
 * most twelve UTF-16 units.
 */
export function escapedAt(text: string, at: number): ReadCharacter | undefined {
  const sign = text.charCodeAt(at);
  if (sign === PERCENT) return percentAt(text, at);
  if (sign !== BACKSLASH) return undefined;
  const next = text.charCodeAt(at + 1);
  if (next === LETTER_U) return unitAt(text, at);
  return SHORT_ESCAPES.has(next) ? { code: next, end: at + 2 } : undefined;
}

function percentAt(text: string, at: number): ReadCharacter | undefined {
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

/** The length of a UTF-8 character with this first byte (RFC 3629 §3), in bytes; 0 where no character begins so. */
function sizeOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

const byteAt = (text: string, at: number): number | undefined =>
  text.charCodeAt(at) === PERCENT ? hexAt(text, at + 1, 2) : undefined;

/** `\uXXXX`, or two of them for a surrogate pair. */
function unitAt(text: string, at: number): ReadCharacter | undefined {
  const unit = hexAt(text, at + 2, 4);
  if (unit === undefined) return undefined;
  const low = isHigh(unit) && text.startsWith('\\u', at + 6) ? hexAt(text, at + 8, 4) : undefined;
  if (low === undefined || !isLow(low)) return { code: unit, end: at + 6 };
  return { code: 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00), end: at + 12 };
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** The value of this many hexadecimal digits. */
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
