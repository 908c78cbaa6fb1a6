/** A character at a place of a text: its code point, and the place after it. */
export interface ReadCharacter {
  readonly code: number;
  readonly end: number;
}

const [PERCENT, AMPERSAND, BACKSLASH, SEMICOLON, EQUALS] = [0x25, 0x26, 0x5c, 0x3b, 0x3d];

const [LETTER_U, LETTER_X, OPENING_BRACE, CLOSING_BRACE] = [0x75, 0x78, 0x7b, 0x7d];

/** How many escapes may lie in one another, such as a reference of HTML that is percent-encoded. */
const DEPTH = 2;

/** As many backslashes as stand for one where JSON lies within JSON, and that again. */
const BACKSLASHES = [1, 2, 4];

/** The most UTF-16 units that one escaped character takes: an `a` in JSON escapes that are percent-encoded twice takes 54. */
const LONGEST_ESCAPE = 60;

export const ESCAPE = /[%\\&=]/g;

/** Whether a backslash alone escapes a character: in JSON some signs (RFC 8259 §7), in shells and regular expressions every one. */
const isSign = (code: number): boolean =>
  code > 0x20 && code < 0x7f && !isWordCharacter(String.fromCharCode(code), 0);

/** The names that HTML has for visible ASCII characters. */
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ quot: '"', amp: '&', apos: "'", lt: '<', gt: '>', sol: '/', bsol: '\\', plus: '+', equals: '=' },
  ...{ colon: ':', semi: ';', period: '.', comma: ',', excl: '!', num: '#', dollar: '$', percnt: '%' },
  ...{ lpar: '(', rpar: ')', ast: '*', midast: '*', lsqb: '[', lbrack: '[', rsqb: ']', rbrack: ']' },
  ...{ lcub: '{', lbrace: '{', rcub: '}', rbrace: '}', verbar: '|', vert: '|', commat: '@', quest: '?' },
  ...{ Hat: '^', lowbar: '_', UnderBar: '_', grave: '`', DiacriticalGrave: '`' },
};

/** The longest text between `&` and `;`. */
const LONGEST_NAME = 16;

/** The literal character at a place of a text: one UTF-16 unit, or a surrogate pair. */
export function literalAt(text: string, at: number): ReadCharacter {
  const code = text.codePointAt(at) ?? -1;
  return { code, end: at + (code > 0xffff ? 2 : 1) };
}

/** Whether there is an ASCII letter or digit at a place. */
export function isWordCharacter(text: string, at: number): boolean {
  const c = text.charCodeAt(at);
  if (c >= 0x61) return c <= 0x7a;
  return c >= 0x41 ? c <= 0x5a : c >= 0x30 && c <= 0x39;
}

const NONE: readonly ReadCharacter[] = [];

/**
 * What the escape at a place may stand for: percent-encoded UTF-8 (RFC 3986 §2.1), a JSON escape, a character reference
 * of HTML, each also with parts that are escaped again, and quoted-printable (RFC 2045 §6.7). `%2541` is both a percent sign before `41` and an `A`. Reads at
 * most `LONGEST_ESCAPE` units for each.
 */
export function escapesAt(text: string, at: number, depth = DEPTH): readonly ReadCharacter[] {
  const sign = text.charCodeAt(at);
  if (depth === 0) return NONE;
  if (sign === EQUALS) return present(hexAt(text, at + 1, 2, 0));
  if (sign !== PERCENT && sign !== BACKSLASH && sign !== AMPERSAND) return NONE;
  if (sign === BACKSLASH) return backslashesAt(text, at, depth - 1);
  const inner = escapesAt(text, at, depth - 1);
  const found = [...inner];
  for (const first of sign === PERCENT ? percentSigns(text, at, inner) : [literalAt(text, at), ...inner]) {
    for (const one of escapesAfter(text, first, depth - 1)) {
      const isNew = !found.some(({ code, end }) => code === one.code && end === one.end);
      if (isNew && one.end - at <= LONGEST_ESCAPE) found.push(one);
    }
  }
  return found;
}

/** A percent sign, itself and encoded once or more (`%2525`), and what else an escape here may stand for. */
function percentSigns(text: string, at: number, inner: readonly ReadCharacter[]): readonly ReadCharacter[] {
  const signs = [literalAt(text, at), ...inner];
  for (let end = at + 3; end < at + 9 && text.startsWith('25', end - 2); end += 2) {
    if (!inner.some((one) => one.end === end)) signs.push({ code: PERCENT, end });
  }
  return signs;
}

/** The escapes that begin with backslashes: in JSON within JSON, each of them is doubled, and so is that of the quotation mark. */
function backslashesAt(text: string, at: number, depth: number): readonly ReadCharacter[] {
  let run = 1;
  while (run < 8 && text.charCodeAt(at + run) === BACKSLASH) run += 1;
  const found: ReadCharacter[] = [];
  for (const n of BACKSLASHES) {
    if (run >= 2 * n) found.push({ code: BACKSLASH, end: at + 2 * n });
    if (run === n || (run === 2 * n - 1 && isSign(text.charCodeAt(at + run))))
      found.push(...backslashAfter(text, at + run, depth));
  }
  return found;
}

/** What the escapes stand for that begin with this character. */
function escapesAfter(text: string, { code, end }: ReadCharacter, depth: number): readonly ReadCharacter[] {
  if (code === PERCENT) return present(percentAfter(text, end, depth));
  if (code === AMPERSAND) return present(entityAfter(text, end, depth));
  return code === BACKSLASH ? backslashAfter(text, end, depth) : NONE;
}

const present = (one: ReadCharacter | undefined): readonly ReadCharacter[] =>
  one === undefined ? NONE : [one];

/** The characters that may be read at a place, literal first. */
export const readingsAt = (text: string, at: number, depth = DEPTH): readonly ReadCharacter[] =>
  at < text.length ? [literalAt(text, at), ...escapesAt(text, at, depth)] : NONE;

/** Where this character may end that begins at a place, literal or escaped. */
const endsOf = (text: string, at: number, sought: number, depth: number): readonly number[] =>
  readingsAt(text, at, depth).flatMap(({ code, end }) => (code === sought ? [end] : []));

function percentAfter(text: string, at: number, depth: number): ReadCharacter | undefined {
  // `%u0041`, as old scripts write it.
  if (text.charCodeAt(at) === LETTER_U) return hexAt(text, at + 1, 4, depth);
  const first = hexAt(text, at, 2, depth);
  const size = first === undefined ? 0 : sizeOf(first.code);
  if (first === undefined || size === 0) return undefined;
  let code = size === 1 ? first.code : first.code & (0x7f >> size);
  let { end } = first;
  for (let i = 1; i < size; i += 1) {
    const byte = endsOf(text, end, PERCENT, depth)
      .map((at) => hexAt(text, at, 2, depth))
      .find((one) => one !== undefined && (one.code & 0xc0) === 0x80);
    if (byte === undefined) return undefined;
    code = (code << 6) | (byte.code & 0x3f);
    end = byte.end;
  }
  return { code, end };
}

/** The length of a UTF-8 character with this first byte (RFC 3629 §3), in bytes; 0 where no character begins so. */
function sizeOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

function backslashAfter(text: string, at: number, depth: number): readonly ReadCharacter[] {
  const others = readingsAt(text, at, depth).flatMap(({ code, end }) => {
    if (code === LETTER_U) return present(bracedAt(text, end, depth) ?? unitAt(text, end, depth));
    if (code === LETTER_X) return present(bracedAt(text, end, depth) ?? hexAt(text, end, 2, depth));
    return isSign(code) ? [{ code, end }] : NONE;
  });
  return [...others, ...octalAt(text, at)];
}

function octalAt(text: string, at: number): readonly ReadCharacter[] {
  const digits = text.slice(at, at + 3);
  return /^[0-3][0-7]{2}$/.test(digits) ? [{ code: Number.parseInt(digits, 8), end: at + 3 }] : NONE;
}

function bracedAt(text: string, at: number, depth: number): ReadCharacter | undefined {
  let [end] = endsOf(text, at, OPENING_BRACE, depth);
  let code = 0;
  for (let digits = 1; digits <= 6 && end !== undefined; digits += 1) {
    const digit = hexAt(text, end, 1, depth);
    if (digit === undefined) return undefined;
    code = code * 16 + digit.code;
    const [closed] = digits === 1 ? [] : endsOf(text, digit.end, CLOSING_BRACE, depth);
    if (closed !== undefined) return { code, end: closed };
    end = digit.end;
  }
  return undefined;
}

/** What follows `\u`: four digits, or two of them for a surrogate pair. */
function unitAt(text: string, at: number, depth: number): ReadCharacter | undefined {
  const unit = hexAt(text, at, 4, depth);
  if (unit === undefined || !isHigh(unit.code)) return unit;
  const low = endsOf(text, unit.end, BACKSLASH, depth)
    .flatMap((end) => endsOf(text, end, LETTER_U, depth))
    .map((end) => hexAt(text, end, 4, depth))
    .find((one) => one !== undefined && isLow(one.code));
  if (low === undefined) return unit;
  return { code: 0x10000 + ((unit.code - 0xd800) << 10) + (low.code - 0xdc00), end: low.end };
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

function entityAfter(text: string, at: number, depth: number): ReadCharacter | undefined {
  let name = '';
  let end = at;
  while (name.length <= LONGEST_NAME) {
    const next = readingsAt(text, end, depth).find(({ code }) => isOfEntity(code));
    // A number needs no semicolon after it (HTML, 13.2.5.80).
    if (next === undefined && name.startsWith('#')) break;
    if (next === undefined) return undefined;
    end = next.end;
    if (next.code === SEMICOLON) break;
    name += String.fromCharCode(next.code);
  }
  const code = codeOfEntity(name);
  return code === undefined ? undefined : { code, end };
}

/** Whether a character may stand between `&` and `;`, or is the latter. */
const isOfEntity = (code: number): boolean =>
  code === SEMICOLON || code === 0x23 || (code < 0x80 && isWordCharacter(String.fromCharCode(code), 0));

function codeOfEntity(name: string): number | undefined {
  const [, hex, decimal] = /^#(?:[xX]0*([0-9a-fA-F]{1,6})|0*([0-9]{1,7}))$/.exec(name) ?? [];
  if (hex !== undefined) return Number.parseInt(hex, 16);
  if (decimal !== undefined) return Number(decimal);
  return Object.hasOwn(ENTITIES, name) ? ENTITIES[name]?.charCodeAt(0) : undefined;
}

/** The value of this many hexadecimal digits, and the place after them. */
function hexAt(text: string, at: number, digits: number, depth: number): ReadCharacter | undefined {
  let [code, end] = [0, at];
  for (let i = 0; i < digits; i += 1) {
    const literal = digitOf(text.charCodeAt(end));
    const escaped =
      literal === undefined
        ? escapesAt(text, end, depth).find((one) => digitOf(one.code) !== undefined)
        : undefined;
    const digit = literal ?? (escaped && digitOf(escaped.code));
    if (digit === undefined) return undefined;
    code = code * 16 + digit;
    end = escaped?.end ?? end + 1;
  }
  return { code, end };
}

function digitOf(unit: number): number | undefined {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : undefined;
}
