import type { Secret } from './keyring.ts';

/** Replaces every secret in a text by its name in brackets. */
export type Redact = (text: string) => string;

/**
 * A key shorter than this, or of digits alone, is only replaced where a
 * credential or a string may stand: replacing every "a" or every 60 would
 * destroy the evidence that is to be judged.
 */
const SHORT_KEY = 8;

/**
 * Builds the replacement of `secrets`, which stand longest first. A secret is
 * found as it is, percent-encoded, and in JSON escapes (`\u0068`, `\"`), in any
 * mixture of the three, because a target may echo it in any of them.
 */
export function redactor(secrets: readonly Secret[]): Redact {
  if (secrets.length === 0) return (text) => text;
  const pattern = new RegExp(secrets.map(({ value }) => `(${patternOf(value)})`).join('|'), 'g');
  return (text) =>
    text.replace(pattern, (_match, ...groups: (string | undefined)[]) => {
      const index = groups.slice(0, secrets.length).findIndex((group) => group !== undefined);
      return `[${secrets[index]?.name ?? 'key'}]`;
    });
}

function patternOf(secret: string): string {
  const inner = [...secret].map(characterPattern).join('');
  const digits = /^[0-9]+$/.test(secret);
  if (secret.length >= SHORT_KEY && !digits) return inner;
  const before = ['(?:[Bb]earer|[Bb]asic|[Tt]oken)\\s+', '["\'=]', ...(digits ? [] : ['^'])].join('|');
  return `(?<=${before})${inner}(?![\\w-])`;
}

function characterPattern(character: string): string {
  const literal = character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const percent = [...Buffer.from(character)].map((byte) => `%${anyCase(hex(byte, 2))}`).join('');
  const escaped = character
    .split('')
    .map((unit) => `\\\\u${anyCase(hex(unit.charCodeAt(0), 4))}`)
    .join('');
  const short = /["\\/]/.test(character) ? `\\\\${literal}|` : '';
  // The longer forms first: a backslash that begins an escape is not yet the character.
  return `(?:${escaped}|${short}${percent}|${literal})`;
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
const anyCase = (digits: string): string =>
  digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
