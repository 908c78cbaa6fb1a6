/** How this command is started: in a clone, and in a project that has the package. Without either it ends, and asks no registry for the name. */
export const COMMAND = 'npx --offline petstore-conformance';

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

export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A number for a person: `60`, `1,000`. */
export const groupedNumber = (number: number): string =>
  // A sentence has hundreds of them, and to load the language takes longer than to judge a run.
  Number.isSafeInteger(number)
    ? String(number).replace(/\B(?=(?:[0-9]{3})+$)/g, ',')
    : number.toLocaleString('en');

/** A number with its noun: `1 exchange`, `1,000 exchanges`. */
export const countOf = (number: number, noun: string, nouns = `${noun}s`): string =>
  `${groupedNumber(number)} ${number === 1 ? noun : nouns}`;

/** Milliseconds as seconds for a person: `1.25 s`, `61 s`. */
export const secondsText = (milliseconds: number): string =>
  `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 0)} s`;

/** From this many seconds on, a duration is stated in hours and minutes. */
const HOURS_FROM = 3 * 3600;

/** A number of seconds for a person: `0.4 s`, `12 s`, `2 min 5 s`, `23 h 57 min`. */
export function durationText(seconds: number): string {
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  const rounded = Math.round(seconds);
  if (rounded < 120) return `${rounded} s`;
  if (rounded >= HOURS_FROM) {
    const minutes = Math.round(rounded / 60);
    return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  }
  return `${Math.floor(rounded / 60)} min ${rounded % 60} s`;
}

/** A text in single quotes, in which a POSIX shell runs and replaces nothing. */
export const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A text as one word of a POSIX shell's command line. */
export const shellWord = (text: string): string =>
  /^[\w./:=@%+,-]+$/.test(text) ? text : singleQuoted(text);

/**
 * The candidate that was probably meant, ignoring case: one that differs in at most a third of its letters, or in one.
 * Computed here because k6, which runs this file, too, cannot load packages.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const [closest] = candidates
    .map((candidate) => ({ candidate, edits: editsBetween(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.max(1, candidate.length / 3))
    .sort((one, two) => one.edits - two.edits);
  return closest?.candidate;
}

/** The question whether that candidate was meant, to be added to a sentence; empty when none is that close. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const likely = nearest(word, candidates);
  return likely === undefined ? '' : ` Did you mean "${likely}"?`;
}

/** Levenshtein distance: how many letters must be added, removed or replaced to turn one word into the other. */
function editsBetween(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (above[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (above[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    above = current;
  }
  return above.at(-1) ?? 0;
}
