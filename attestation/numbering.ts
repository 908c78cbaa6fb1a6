import { jsonFields, parsedJson } from '../words/json.ts';

/** The numbers that are missing among the exchanges of a journal: they are numbered from 1 without a gap. */
export function missingNumbers(journal: string): readonly number[] {
  const numbers = new Set(journal.split('\n').map(numberOf));
  const last = Math.max(0, ...[...numbers].filter((n) => n !== undefined));
  return Array.from({ length: last }, (_, at) => at + 1).filter((n) => !numbers.has(n));
}

/** The kinds of lines that carry the number of an exchange. */
const NUMBERED = new Set(['exchange', 'arrival']);

function numberOf(line: string): number | undefined {
  if (line === '') return undefined;
  const { kind, n } = jsonFields(parsedJson(line));
  const numbered = typeof kind === 'string' && NUMBERED.has(kind);
  return numbered && typeof n === 'number' && Number.isSafeInteger(n) ? n : undefined;
}
