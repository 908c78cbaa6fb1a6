/** More digits than an int64 has; what is longer is out of range whatever it is. */
const MOST_DIGITS = 19;

/** More digits of an exponent than any text of a body could make up for. */
const MOST_EXPONENT_DIGITS = 15;

/** A JSON number as an integer: its value, `beyond` where it has more digits than an int64, `none` where it is no integer. */
export type Integer = bigint | 'beyond' | 'none';

/**
 * Decides on the text of a JSON number whether it is an integer, exactly and
 * without expanding it: `1.0` and `1e3` are, `1e-9999999999` is none although
 * a double rounds it to 0. The work is linear in the text, whatever its exponent.
 * @param text a number by the grammar of RFC 8259 §6; anything else is `none`.
 */
export function integerOf(text: string): Integer {
  const parts = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(text);
  if (parts === null) return 'none';
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = withoutZerosBefore(whole + fraction);
  if (digits === '') return 0n;
  const significant = withoutZerosBehind(digits);
  const shift = exponentOf(exponent) - fraction.length + (digits.length - significant.length);
  if (shift < 0) return 'none';
  if (significant.length + shift > MOST_DIGITS) return 'beyond';
  const value = BigInt(significant + '0'.repeat(shift));
  return sign === '-' ? -value : value;
}

/** The exponent; one that is too long to matter becomes infinite. */
function exponentOf(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1;
  const digits = withoutZerosBefore(text.replace(/^[+-]/, ''));
  return digits.length > MOST_EXPONENT_DIGITS ? sign * Number.POSITIVE_INFINITY : sign * Number(digits);
}

const withoutZerosBefore = (digits: string): string => digits.replace(/^0+/, '');

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
