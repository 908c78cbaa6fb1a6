import type { Limits } from '../../spec/plans.ts';
import { dayAllowance } from './day-allowance.ts';
import { dayObstacle } from './day-usage.ts';
import type { KeyHistory, LedgerEntry, UsageLedger } from './ledger.ts';
import { dayObstacleText } from './sentences.ts';
import { obstacleToFullDay } from './unused-day.ts';

/** One key of a run, and how many requests it will send. */
export interface KeyDemand<Alias extends string = string> {
  /** Name of the key within the run. */
  readonly alias: Alias;
  /** What a person calls the key, at the start of a sentence: `The key`, `Key 2 of the fleet`. */
  readonly label: string;
  readonly key: string;
  readonly requests: number;
  /** The limits of its plan, where they are not those of the run. */
  readonly limits?: Limits | undefined;
}

/** A run that wants to start. */
export interface RunDemand<Alias extends string = string> {
  readonly keys: readonly KeyDemand<Alias>[];
  /** Origin of the target, as in `https://api.example.com`. */
  readonly origin: string;
  /** For a person: `load at-limit`. */
  readonly command: string;
  readonly limits: Limits;
  /** Whether the user allows the run to use a whole day's quota. */
  readonly fullDayAllowed: boolean;
  /** How long it takes at most, in seconds. */
  readonly maximumSeconds: number;
}

/** A run that may start. */
export interface Admission<Alias extends string = string> {
  /** Records what each key sent in the end, and when the run ended (milliseconds since the Unix epoch). */
  settle(sent: Readonly<Partial<Record<Alias, number>>>, at: number): void;
}

/**
 * Records a run in the ledger, unless it would use more than nine tenths of the day of one of
 * its keys.
 * @param now milliseconds since the Unix epoch.
 * @throws {GuardError} when the run must not start, or the ledger cannot be used.
 */
export function admitRun<Alias extends string>(
  ledger: UsageLedger,
  demand: RunDemand<Alias>,
  now: number,
): Admission<Alias> {
  const { keys, origin, command, maximumSeconds } = demand;
  const until = now + maximumSeconds * 1000;
  const entries = new Map<Alias, LedgerEntry>();
  try {
    for (const keyDemand of keys) {
      const { alias, key, requests } = keyDemand;
      const run = { key, origin, command, requests, until };
      const rules = { ...demand, ledger: ledger.folder };
      entries.set(
        alias,
        ledger.admit(run, (history) => admissionObstacle(history, keyDemand, rules, now), now),
      );
    }
  } catch (error) {
    for (const entry of entries.values()) entry.settle(0, now);
    throw error;
  }
  return {
    settle(sent, at) {
      for (const [alias, entry] of entries) entry.settle(sent[alias] ?? 0, at);
    },
  };
}

/** What decides whether a key may send what a run demands, besides its recorded runs. */
export interface AdmissionRules {
  readonly limits: Limits;
  readonly fullDayAllowed: boolean;
  /** Folder of the ledger, named in the sentence. */
  readonly ledger: string;
}

/**
 * Why this key must not send what the run demands, in sentences for a person; undefined where it may.
 * @param history what is recorded of the key.
 * @param now milliseconds since the Unix epoch.
 */
export function admissionObstacle(
  history: KeyHistory,
  { label, requests, limits: own }: KeyDemand,
  { limits: ofRun, fullDayAllowed, ledger }: AdmissionRules,
  now: number,
): string | undefined {
  const limits = own ?? ofRun;
  if (fullDayAllowed && requests > dayAllowance(limits))
    return obstacleToFullDay(history, { limits, folder: ledger, key: label }, now);
  const obstacle = dayObstacle(history.runs, requests, limits, now);
  return obstacle === undefined
    ? undefined
    : dayObstacleText(obstacle, { keyLabel: label, requests, limits, now, ledger });
}
