import { escapedStretches } from './escaped-stretches.ts';
import type { Secret } from './keyring.ts';
import type { Sought } from './occurrences.ts';
import { Occurrences } from './occurrences.ts';

/** Replaces every secret in a text by its name in brackets. */
export type Redact = (text: string) => string;

/**
 * A key shorter than this, or of digits alone, is only replaced where a
 * credential or a string may stand: replacing every "a" or every 60 would
 * destroy the evidence that is to be judged.
 */
const SHORT_KEY = 8;

/** The most UTF-16 units that spell one unit of a secret: three bytes of UTF-8, percent-encoded. */
const LONGEST_SPELLING = 12;

/**
 * Builds the replacement of `secrets`, which stand longest first. A secret is
 * found as it is, percent-encoded, and in JSON escapes (`\u0068`, `\"`), in any
 * mixture of the three, because a target may echo it in any of them. The time
 * grows with the length of the text alone, whatever stands in it and whatever
 * the secrets are.
 */
export function redactor(secrets: readonly Secret[]): Redact {
  const named = secrets.filter(({ value }) => value !== '');
  if (named.length === 0) return (text) => text;
  const sought = named.map(soughtOf);
  const occurrences = new Occurrences(sought);
  const reach = Math.max(...named.map(({ value }) => value.length)) * LONGEST_SPELLING;
  return (text) => {
    // The engine's own search takes a tenth of the time, and hardly any text holds a key.
    const plain = !named.some(({ value }) => text.includes(value));
    if (plain && !mayHoldEscaped(text)) return text;
    let redacted = '';
    let from = 0;
    for (const { start, end, which } of occurrences.in(text)) {
      redacted += `${text.slice(from, start)}[${named[which]?.name ?? 'key'}]`;
      from = end;
    }
    return redacted + text.slice(from);
  };

  /** Whether a text without any secret as it is may hold one with escapes. What stands before a short one counts, too, so those are sought in the whole. */
  function mayHoldEscaped(text: string): boolean {
    if (sought.some(({ alone }) => alone)) return /[%\\]/.test(text);
    for (const { start, end } of escapedStretches(text, reach)) {
      for (const _ of occurrences.in(text.slice(start, end))) return true;
    }
    return false;
  }
}

function soughtOf({ value }: Secret): Sought {
  const digits = /^[0-9]+$/.test(value);
  if (value.length >= SHORT_KEY && !digits) return { value, alone: false, mayBegin: () => true };
  return { value, alone: true, mayBegin: (text, place) => (place === 0 ? !digits : afterSign(text, place)) };
}

const SCHEMES = ['bearer', 'basic', 'token'] as const;
const LONGEST_SCHEME = Math.max(...SCHEMES.map(({ length }) => length));

/**
 * Whether a credential or a string may begin at a place: behind a quotation
 * mark, an equals sign, or a scheme and white space. No key begins with white
 * space, so no stretch of it stands before two places that are asked about, and
 * each is read once.
 */
function afterSign(text: string, place: number): boolean {
  if (/["'=]/.test(text.charAt(place - 1))) return true;
  let end = place;
  while (end > 0 && /\s/.test(text.charAt(end - 1))) end -= 1;
  if (end === place) return false;
  const before = text.slice(Math.max(0, end - LONGEST_SCHEME), end).toLowerCase();
  return SCHEMES.some((scheme) => before.endsWith(scheme));
}
