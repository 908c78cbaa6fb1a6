import type { Limits } from '../../spec/plans.ts';
import { groupedNumber } from '../basics/text.ts';
import type { RecordedRun } from './ledger.ts';

/** Nine tenths of the day's quota, in requests: what the runs of a key may use in a day unless the user allows all of it. */
export const dayAllowance = ({ perDay }: Limits): number => Math.floor((perDay * 9) / 10);

/**
 * What a key has used today, from its recorded runs: within the last `daySeconds`, which is at least what counts in a
 * calendar day, one from the first request, or a sliding one. @param now milliseconds since the Unix epoch.
 */
export function dayUsageOf(runs: readonly RecordedRun[], limits: Limits, now: number) {
  const counted = countedRuns(runs, limits, now);
  const used = counted.reduce((sum, { requests }) => sum + requests, 0);
  const last = counted.at(-1);
  return {
    used,
    /** Requests that runs may still send within the allowance; never below 0. */
    available: Math.max(0, dayAllowance(limits) - used),
    /** When all of the allowance is available again, milliseconds since the Unix epoch; undefined where it is now. */
    fullAt: last && expiryOf(last, limits),
  };
}

export type DayUsage = ReturnType<typeof dayUsageOf>;

/** Now, or when what it exceeds the allowance by no longer counts; infinity where it exceeds the allowance by itself. */
export function possibleFrom(
  runs: readonly RecordedRun[],
  requests: number,
  limits: Limits,
  now: number,
): number {
  let available = dayAllowance(limits) - dayUsageOf(runs, limits, now).used;
  if (requests <= available) return now;
  for (const run of countedRuns(runs, limits, now)) {
    available += run.requests;
    if (requests <= available) return expiryOf(run, limits);
  }
  return Number.POSITIVE_INFINITY;
}

/** When what a run sent no longer counts. */
const expiryOf = ({ until }: RecordedRun, { daySeconds }: Limits): number => until + daySeconds * 1000;

/** In the order in which they stop to count. */
const countedRuns = (runs: readonly RecordedRun[], limits: Limits, now: number): readonly RecordedRun[] =>
  runs
    .filter((run) => run.requests > 0 && expiryOf(run, limits) > now)
    .sort((one, other) => one.until - other.until);

/** What a key has used of its day, in a clause for a person. @param now milliseconds since the Unix epoch. */
export function dayUsageText({ used, available, fullAt }: DayUsage, { perDay }: Limits, now: number): string {
  const full = fullAt === undefined ? '' : `; the full allowance is available ${momentText(fullAt, now)}`;
  return `${groupedNumber(used)} of ${groupedNumber(perDay)} requests used in the last day, as recorded on this machine; ${groupedNumber(available)} more fit into nine tenths of the quota${full}`;
}

/** `in 3 h 12 min (2026-11-22 08:14 UTC)`. Both moments in milliseconds since the Unix epoch. */
export function momentText(at: number, now: number): string {
  const minutes = Math.ceil((at - now) / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const span = hours === 0 ? `${rest} min` : `${hours} h ${rest} min`;
  return `in ${span} (${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC)`;
}
