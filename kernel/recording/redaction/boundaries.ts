import { isWordCharacter } from './escapes.ts';

/** The name of a scheme, after which the space may be missing. */
const SCHEME_BEFORE = /(?:bearer|basic|token|apikey)$/i;

/** An escape that ends here, and has a letter or a digit at its end: a line break of JSON, a percent-encoding. */
const ESCAPE_BEFORE = /(?:\\[bfnrtv]|(?:%(?:25)*|\\x|\\u00)([0-9a-f]{2})|\\u[0-9a-f]{4})$/i;

/** The longest text that `ESCAPE_BEFORE` looks at. */
const LOOKED_AT = 12;

/** Whether a word goes on from before this place: the character before it is a letter or a digit, and ends no escape and no scheme. */
export function isWordBefore(text: string, place: number): boolean {
  if (place === 0 || !isWordCharacter(text, place - 1)) return false;
  const before = text.slice(Math.max(0, place - LOOKED_AT), place);
  const found = ESCAPE_BEFORE.exec(before);
  if (found === null) return !SCHEME_BEFORE.test(before);
  const [, hex] = found;
  return hex !== undefined && isWordCharacter(String.fromCharCode(Number.parseInt(hex, 16)), 0);
}

/** Whether digits are a whole number of JSON, a part of one between its signs, or some digits of a longer one. */
export type NumberAround = 'itself' | 'a part' | 'longer' | undefined;

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
