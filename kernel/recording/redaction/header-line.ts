import type { Redact } from './redact.ts';

/** The headers whose numbers and dates a judge compares with the specification, in lower case. */
const FIGURE_HEADERS: ReadonlySet<string> = new Set([
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'],
  ...['date', 'age', 'expires', 'content-length', 'x-total-count'],
]);

const NUMBER = /^[0-9]{1,15}(?:\.[0-9]{1,9})?$/;
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
/** The three forms of RFC 9110 §5.6.7. */
const DATE = new RegExp(
  `^[MTWFS][a-z]{2,8}(?:,? [0-9]{2}[ -]${MONTH}[ -][0-9]{2,4}| ${MONTH} [ 0-9][0-9]) [0-9]{2}:[0-9]{2}:[0-9]{2}(?: GMT| [0-9]{4})$`,
);

/** Whether the value of a header is a number or a date that is judged: such a value is never touched. */
export const isJudgedFigure = (name: string, value: string): boolean =>
  FIGURE_HEADERS.has(name.toLowerCase()) && (NUMBER.test(value.trim()) || DATE.test(value.trim()));

/** A header line as it is recorded. */
export const redactedLine = (
  [name, value]: readonly [name: string, value: string],
  redact: Redact,
): readonly [name: string, value: string] => [
  redact(name),
  isJudgedFigure(name, value) ? value : redact(value),
];
