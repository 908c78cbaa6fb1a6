import { isLosslessNumber } from 'lossless-json';
import type { Exchange } from '../../exchanges/exchange.ts';
import { headerValue } from '../../exchanges/headers.ts';

/** The most characters of a target's words that a sentence repeats. */
const LONGEST = 80;

/** A target's words inside a sentence: bounded, and with every character that could disturb a reader made visible. */
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

/** `exchange 12 (GET /v1/categories)`. */
export function exchangeName(exchange: Exchange): string {
  return `exchange ${exchange.n} (${exchange.request.method} ${exchange.request.target.slice(0, LONGEST)})`;
}

/** What became of an exchange: `answered 200`, where to it was sent, or why no answer came. */
export function outcomeText(exchange: Exchange): string {
  const { outcome } = exchange;
  if (outcome.kind !== 'answer') return `got no answer (${quoteText(outcome.detail)})`;
  const elsewhere = outcome.status >= 300 && outcome.status < 400;
  const location = elsewhere ? headerValue(outcome.headers, 'Location') : undefined;
  return `answered ${outcome.status}${location === undefined ? '' : ` and sends to ${quoteText(location)}`}`;
}

/** `1 exchange`, `2 exchanges`. */
export function countText(number: number, noun: string, nouns = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : nouns}`;
}

/** Seconds as a person reads them. */
export function secondsText(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 0)} s`;
}
