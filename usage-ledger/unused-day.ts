import type { Limits } from '../spec/plans.ts';
import { countOf } from '../words/text.ts';
import { dayUsageOf } from './day-usage.ts';
import type { KeyHistory, LedgerEntry, StartingRun, UsageLedger } from './ledger.ts';
import { momentText } from './sentences.ts';

/** A run that uses the whole daily quota of a key. */
export interface FullDay {
  readonly run: StartingRun;
  readonly limits: Limits;
}

/**
 * Records a run that uses a whole day of its key, unless some of that day is used.
 * @param now milliseconds since the Unix epoch.
 * @throws {GuardError} when some of the day is used, or the ledger cannot show whether it is.
 */
export const admitFullDay = (ledger: UsageLedger, { run, limits }: FullDay, now: number): LedgerEntry =>
  ledger.admit(run, (history) => obstacleToFullDay(history, limits, ledger.folder, now), now);

/**
 * Why a run must not use a whole day of this key, in a sentence for a person; undefined where the ledger shows an
 * unused day.
 * @param folder of the ledger.
 * @param now milliseconds since the Unix epoch.
 */
export function obstacleToFullDay(
  { runs, damagedLines }: KeyHistory,
  limits: Limits,
  folder: string,
  now: number,
): string | undefined {
  const needs = 'A run that uses the whole daily quota needs a key that was not used for a day';
  if (damagedLines > 0) {
    return `${needs}, and ${damagedLines} of the lines in the ledger ${folder} cannot be read: remove the damaged file if you know that the key was not used.`;
  }
  const { used, fullAt } = dayUsageOf(runs, limits, now);
  if (fullAt === undefined) return undefined;
  return `${needs}, and this one sent ${countOf(used, 'request')} to this target within the last day (ledger: ${folder}). It can start ${momentText(fullAt, now)}, or now with another key.`;
}
