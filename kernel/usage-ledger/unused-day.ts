import type { Limits } from '../../spec/plans.ts';
import { countOf } from '../basics/text.ts';
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
  ledger.admit(
    run,
    (history) => obstacleToFullDay(history, { limits, folder: ledger.folder, key: 'the key' }, now),
    now,
  );

/** What decides whether a key may be used for a whole day, besides its recorded runs. */
export interface FullDayRules {
  readonly limits: Limits;
  /** Of the ledger. */
  readonly folder: string;
  /** What a person calls the key: `the key`, `Key 2 of the fleet`. */
  readonly key: string;
}

/**
 * Why a run must not use a whole day of this key, in a sentence for a person; undefined where the ledger shows an
 * unused day.
 * @param now milliseconds since the Unix epoch.
 */
export function obstacleToFullDay(
  { runs, damagedLines }: KeyHistory,
  { limits, folder, key }: FullDayRules,
  now: number,
): string | undefined {
  const needs = 'A run that uses the whole daily quota needs a key that was not used for a day';
  if (damagedLines > 0) {
    return `${needs}, and the ledger ${folder} has ${countOf(damagedLines, 'line')} that cannot be read: remove the damaged file if you know that the key was not used.`;
  }
  const { used, fullAt } = dayUsageOf(runs, limits, now);
  if (fullAt === undefined) return undefined;
  return `${needs}, and ${key.charAt(0).toLowerCase()}${key.slice(1)} sent ${countOf(used, 'request')} to this target within the last day (ledger: ${folder}). It can start ${momentText(fullAt, now)}, or now with another key.`;
}
