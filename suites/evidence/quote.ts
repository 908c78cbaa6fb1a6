import { isLosslessNumber } from 'lossless-json';
import type { Exchange } from '../../exchanges/exchange.ts';
import { headerValue } from '../../exchanges/headers.ts';

/** The most characters of a target's text that a sentence repeats. */
const LONGEST = 80;

/** Text of a target inside a sentence: in quotation marks, bounded, and with every character that could mislead a reader written out. */
export function quoteText(text: string): string {
  return `"${short(text).replace(UNSAFE, visible)}"`;
}

const short = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

// Control characters, line separators, and the marks that change the direction of text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not reach a terminal.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const visible = (c: string): string => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A JSON value inside a sentence. Values are quoted without descending into them, so no depth can hurt. */
export function valueText(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  // In quotes it would read like a string, which is what most of these numbers should have been.
  if (isLosslessNumber(value)) return short(value.value);
  if (typeof value === 'string') return quoteText(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  return String(value);
}

/** An exchange by its number: `exchange 12 (GET /v1/categories)`. */
export function exchangeName(exchange: Exchange): string {
  return `exchange ${exchange.n} (${exchange.request.method} ${exchange.request.target.slice(0, LONGEST)})`;
}

/**
 * What came in answer to an exchange, as a noun phrase: the status, with the
 * Location of a redirect, or why no response came.
 */
export function responseText({ outcome }: Exchange): string {
  if (outcome.kind !== 'answer') return `no response (${quoteText(outcome.detail)})`;
  const redirects = outcome.status >= 300 && outcome.status < 400;
  const location = redirects ? headerValue(outcome.headers, 'Location') : undefined;
  return `${outcome.status}${location === undefined ? '' : ` with Location ${quoteText(location)}`}`;
}

/** The response and its exchange: `404 in exchange 12 (GET /v1/categories)`. */
export function receivedText(exchange: Exchange): string {
  return `${responseText(exchange)} in ${exchangeName(exchange)}`;
}

/** Where these exchanges lie, to stand behind a noun: ` in exchange 3 (…)` or ` from exchange 3 (…) to exchange 9 (…)`; empty for none. */
export function spanText(exchanges: readonly Exchange[]): string {
  const [first, ...others] = [...exchanges].sort((a, b) => a.n - b.n);
  const last = others.at(-1);
  if (first === undefined) return '';
  return last === undefined
    ? ` in ${exchangeName(first)}`
    : ` from ${exchangeName(first)} to ${exchangeName(last)}`;
}

/** `1 exchange`, `2 exchanges`. */
export function countText(number: number, noun: string, nouns = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : nouns}`;
}

/** Milliseconds as seconds for a person: `1.25 s`, `61 s`. */
export function secondsText(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 0)} s`;
}
