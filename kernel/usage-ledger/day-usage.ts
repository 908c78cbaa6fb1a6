import type { Limits } from '../../spec/plans.ts';
import { dayAllowance } from './day-allowance.ts';
import type { RecordedRun } from './ledger.ts';

/**
 * What a key has used of its day, as far as this machine knows. A day may be a
 * calendar day, a day from the first request, or a sliding one: what was used
 * within the last `daySeconds` is at least as much as counts in any of them.
 */
export interface DayUsage {
  /** Requests. */
  readonly used: number;
  /** Requests that runs may still send within the allowance; never below 0. */
  readonly available: number;
  /** When all of the allowance is available again, milliseconds since the Unix epoch; undefined where it is now. */
  readonly fullAt: number | undefined;
}

/** What a key has used today, from its recorded runs. @param now milliseconds since the Unix epoch. */
export function dayUsageOf(runs: readonly RecordedRun[], limits: Limits, now: number): DayUsage {
  const counted = countedRuns(runs, limits, now);
  const used = counted.reduce((sum, { requests }) => sum + requests, 0);
  return {
    used,
    available: Math.max(0, dayAllowance(limits) - used),
    fullAt:
      counted.length === 0 ? undefined : expiryOf(Math.max(...counted.map(({ until }) => until)), limits),
  };
}

/** Why a run must not start; `possibleAt` is when it may, milliseconds since the Unix epoch. */
export type DayObstacle =
  /** The run would exceed the allowance together with what was used before. */
  | { readonly kind: 'allowance used'; readonly usage: DayUsage; readonly possibleAt: number }
  /** The run exceeds the allowance by itself. */
  | { readonly kind: 'exceeds allowance'; readonly usage: DayUsage };

/**
 * Why a run must not start now; undefined where it may.
 * @param runs what is recorded of the key.
 * @param now milliseconds since the Unix epoch.
 */
export function dayObstacle(
  runs: readonly RecordedRun[],
  requests: number,
  limits: Limits,
  now: number,
): DayObstacle | undefined {
  const usage = dayUsageOf(runs, limits, now);
  if (requests <= usage.available) return undefined;
  if (requests > dayAllowance(limits)) return { kind: 'exceeds allowance', usage };
  let available = dayAllowance(limits) - usage.used;
  for (const run of countedRuns(runs, limits, now).sort((one, two) => one.until - two.until)) {
    available += run.requests;
    if (requests <= available)
      return { kind: 'allowance used', usage, possibleAt: expiryOf(run.until, limits) };
  }
  return undefined;
}

/** When requests that were sent until this moment no longer count. */
const expiryOf = (until: number, { daySeconds }: Limits): number => until + daySeconds * 1000;

const countedRuns = (runs: readonly RecordedRun[], limits: Limits, now: number): RecordedRun[] =>
  runs.filter(({ requests, until }) => requests > 0 && expiryOf(until, limits) > now);
