/** The most characters of a target's words that a sentence repeats. */
export const LONGEST_QUOTE = 80;

/** A target's words inside a sentence: bounded, in quotation marks, and with every character escaped that could disturb a reader. */
export const quoted = (text: string): string => quotedInFull(shortened(text));

/** The same without a bound: for words that are still to be redacted, because a cut could leave a part of a key. */
export const quotedInFull = (text: string): string => `"${text.replace(UNSAFE, escaped)}"`;

/** A text of at most `LONGEST_QUOTE` characters, and an ellipsis where it was longer. */
export const shortened = (text: string): string =>
  text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;

// Control characters, line separators, and the marks that change the direction of text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not reach a terminal.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Those that everybody writes in short: a body of several lines stays readable. */
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (c: string): string => SHORT[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** With a capital first letter. */
export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A number for a person: `60`, `1,000`. */
export const groupedNumber = (number: number): string => number.toLocaleString('en');

/** A number with its noun: `1 exchange`, `1,000 exchanges`. */
export const countOf = (number: number, noun: string, nouns = `${noun}s`): string =>
  `${groupedNumber(number)} ${number === 1 ? noun : nouns}`;

/** Milliseconds as seconds for a person: `1.25 s`, `61 s`. */
export const secondsText = (milliseconds: number): string =>
  `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 0)} s`;
