import { dayAllowance } from '../load/profiles/arithmetic.ts';
import type { Limits } from '../spec/plans.ts';
import type { KnownRun } from './ledger.ts';

/**
 * The last day of a key, as far as this machine used it. A day may be one of
 * the calendar, one from its first request, or one that slides: what was used
 * within the last `daySeconds` is at least as much as counts in any of them.
 */
export interface Day {
  /** Requests. */
  readonly used: number;
  /** Of the nine tenths of the quota that runs may use; never below 0. */
  readonly left: number;
  /** When nothing of it counts any more, milliseconds since the Unix epoch; undefined where nothing does now. */
  readonly freeAt: number | undefined;
}

/** What of these runs counts now (milliseconds since the Unix epoch). */
export function dayOf(runs: readonly KnownRun[], limits: Limits, now: number): Day {
  const counting = countingOf(runs, limits, now);
  const used = counting.reduce((sum, { requests }) => sum + requests, 0);
  return {
    used,
    left: Math.max(0, dayAllowance(limits) - used),
    freeAt: counting.length === 0 ? undefined : freeAfter(Math.max(...counting.map(endOf)), limits),
  };
}

/** What a run wants of a key's day. */
export interface Wish {
  readonly requests: number;
  /** Whether it has leave to use up a whole day. */
  readonly spendDay: boolean;
}

/** Why a run may not begin; `freeAt` is when it may, milliseconds since the Unix epoch. */
export type Refusal =
  /** It would pass nine tenths of the day. */
  | { readonly kind: 'used up'; readonly day: Day; readonly freeAt: number }
  /** It may spend the whole day, and some of it is used. */
  | { readonly kind: 'touched'; readonly day: Day; readonly freeAt: number }
  /** Nine tenths of no day are enough for it, and nobody gave leave to spend one. */
  | { readonly kind: 'never fits'; readonly day: Day };

/** Why this run may not begin now (milliseconds since the Unix epoch) after those; undefined where it may. */
export function refusalOf(
  runs: readonly KnownRun[],
  { requests, spendDay }: Wish,
  limits: Limits,
  now: number,
): Refusal | undefined {
  const day = dayOf(runs, limits, now);
  if (requests <= day.left) return undefined;
  if (requests > dayAllowance(limits)) {
    if (!spendDay) return { kind: 'never fits', day };
    return day.freeAt === undefined ? undefined : { kind: 'touched', day, freeAt: day.freeAt };
  }
  let left = dayAllowance(limits) - day.used;
  for (const run of countingOf(runs, limits, now).sort((one, two) => one.until - two.until)) {
    left += run.requests;
    if (requests <= left) return { kind: 'used up', day, freeAt: freeAfter(run.until, limits) };
  }
  return undefined;
}

const endOf = ({ until }: KnownRun): number => until;

const freeAfter = (until: number, { daySeconds }: Limits): number => until + daySeconds * 1000;

const countingOf = (runs: readonly KnownRun[], limits: Limits, now: number): KnownRun[] =>
  runs.filter(({ requests, until }) => requests > 0 && freeAfter(until, limits) > now);
