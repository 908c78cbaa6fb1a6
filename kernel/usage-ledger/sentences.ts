import type { Limits } from '../../spec/plans.ts';
import { groupedNumber } from '../basics/text.ts';
import type { DayObstacle, DayUsage } from './day-usage.ts';

/** What a key has used of its day, in a clause for a person. @param now milliseconds since the Unix epoch. */
export function dayUsageText({ used, available, fullAt }: DayUsage, { perDay }: Limits, now: number): string {
  const full = fullAt === undefined ? '' : `; the full allowance is available ${momentText(fullAt, now)}`;
  return `${groupedNumber(used)} of ${groupedNumber(perDay)} requests used in the last day, as recorded on this machine; ${groupedNumber(available)} more fit into nine tenths of the quota${full}`;
}

/** The run that meets an obstacle. */
interface BlockedRun {
  /** Starts the sentence: `The key`. */
  readonly keyLabel: string;
  readonly requests: number;
  readonly limits: Limits;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Folder of the ledger, for a user who knows that it is wrong. */
  readonly ledger: string;
}

/** Why a run must not start, and what to do, in sentences for a person. */
export function dayObstacleText(
  obstacle: DayObstacle,
  { keyLabel, requests, limits, now, ledger }: BlockedRun,
): string {
  const { used, available } = obstacle.usage;
  const quota = groupedNumber(limits.perDay);
  const usage = `${keyLabel} has used ${groupedNumber(used)} of its ${quota} requests a day at this target (ledger: ${ledger}).`;
  switch (obstacle.kind) {
    case 'allowance used':
      return `${usage} Runs may use nine tenths of the quota: ${groupedNumber(available)} are left, and this run would send ${groupedNumber(requests)}. It can start ${momentText(obstacle.possibleAt, now)}.`;
    case 'exceeds allowance':
      return `${keyLabel} may send ${quota} requests a day, and this run would send ${groupedNumber(requests)}, more than nine tenths of them. Add --use-full-day if the key may be unusable for a day, or give --plans a plan file with a short day.`;
  }
}

/** `in 3 h 12 min (2026-11-22 08:14 UTC)`. Both moments in milliseconds since the Unix epoch. */
export function momentText(at: number, now: number): string {
  const minutes = Math.ceil((at - now) / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const span = hours === 0 ? `${rest} min` : `${hours} h ${rest} min`;
  return `in ${span} (${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC)`;
}
