import { isLosslessNumber } from 'lossless-json';
import { quoted, shortened } from '../../../kernel/basics/text.ts';

/** A JSON value inside a sentence. Values are quoted without descending into them, so no depth can hurt. */
export function jsonValueText(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  // In quotes it would read like a string, which is what most of these numbers should have been.
  if (isLosslessNumber(value)) return shortened(value.value);
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  return String(value);
}
