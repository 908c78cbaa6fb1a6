/** After so many days everything was part of a sample. */
const DAYS = 7;

const MILLISECONDS_OF_A_DAY = 86_400_000;

/**
 * The number of a day, such as `2026-11-25`, counted from 1970.
 * @throws {Error} where the text is no day.
 */
export function dayNumber(text: string): number {
  const day = Date.parse(text) / MILLISECONDS_OF_A_DAY;
  if (Number.isInteger(day)) return day;
  throw new Error(`TEST_SAMPLE is a day, such as 2026-11-25, or all; not ${text}.`);
}

/** The share of a day of these: each is in the sample of one day in a week, and no day has none. */
export function shareOf<T>(all: readonly T[], day: number): readonly T[] {
  const days = Math.min(DAYS, all.length);
  return all.filter((_, at) => at % days === day % days);
}

/** The sample that the tests have: a day, or `all`. `TEST_SAMPLE` names another one. */
export const sampleName = process.env['TEST_SAMPLE'] ?? new Date().toISOString().slice(0, 10);

const today = sampleName === 'all' ? undefined : dayNumber(sampleName);

/** What the sample has of these. Long evaluations have all of them (`npm run evaluate`). */
export const sampleOf = <T>(all: readonly T[]): readonly T[] =>
  today === undefined ? all : shareOf(all, today);

/** The numbers of so many runs, from 1. */
export const numbersTo = (runs: number): readonly number[] => Array.from({ length: runs }, (_, at) => at + 1);
