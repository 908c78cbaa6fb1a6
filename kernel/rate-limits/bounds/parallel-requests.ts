import { greatest, least } from '../../exchanges/collections.ts';
import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import type { Quota } from '../quota.ts';
import { mostRefill } from '../quota.ts';
import type { Series, Transition } from '../series.ts';
import {
  fallBeyondUse,
  isJump,
  readingOf,
  surelyCounts,
  transitionsBefore429,
  unaccountedGain,
} from '../series.ts';
import type { Miscount } from './refill.ts';

/** What Remaining shows of requests that were sent at the same time. */
export interface ParallelRequests {
  /** The transitions that lead over such requests. */
  readonly crossed: readonly Transition[];
  /** Those in which more came back than flows back in their time. */
  readonly jumped: readonly Transition[];
}

/** Finds every transition of a series that leads over requests sent at the same time. Pure. */
export function parallelRequestsOf(series: Series, quota: Quota): ParallelRequests {
  const parallel = series.filter(({ exchanges }) => exchanges.length > 1);
  const crossed = transitionsBefore429(series, quota.limit).filter(({ through }) =>
    parallel.some(({ exchanges }) => exchanges.some((exchange) => through.includes(exchange))),
  );
  return { crossed, jumped: crossed.filter((change) => isJump(change, quota)) };
}

/** A window begins anew at one moment, so one jump among several transitions is no sign of it. */
export const mayBeUndercounted = ({ crossed, jumped }: ParallelRequests): boolean =>
  jumped.length > 1 || (jumped.length === 1 && crossed.length === 1);

/** Whether all transitions over single requests fit: then a miscount of the series is one of its parallel requests. */
export function countsExactlyOneByOne(series: Series, quota: Quota): boolean {
  const parallel = series.filter((step) => step.exchanges.length > 1);
  if (parallel.length === 0) return false;
  const leadsOver = ({ from, to }: Transition): boolean =>
    parallel.some(
      (step) => step.sent >= from.exchange.sent.mono && step.received <= to.exchange.received.mono,
    );
  const single = transitionsBefore429(series, quota.limit).filter((change) => !leadsOver(change));
  const gains = single.map(unaccountedGain);
  const anew = Math.max(0, greatest(single.filter((change) => isJump(change, quota)).map(unaccountedGain)));
  const first = single[0]?.from.exchange.sent.mono ?? 0;
  const span = (single.at(-1)?.to.exchange.received.mono ?? 0) - first;
  const total = gains.reduce((sum, one) => sum + one, 0);
  return total - anew <= mostRefill(quota, span);
}

/** Whether requests that were sent at the same time show a value of Remaining each, one after another: then none was lost. */
export const countsEachAtOnce = (series: Series): boolean =>
  series.every(({ exchanges }) => {
    const readings = exchanges
      .filter((exchange) => !isRateLimited(exchange))
      .map((exchange) => readingOf(exchange)?.remaining ?? Number.NaN);
    return (
      readings.length < 2 ||
      (new Set(readings).size === readings.length &&
        greatest(readings) - least(readings) === readings.length - 1)
    );
  });

/** Until this share of a window after the first request, no window that slides in steps gives anything back: not even one with two steps. */
const NOTHING_EXPIRES = 1 / 2;

/** By how much of its interval a timer that refills a bucket may be early or late. */
const TIMER_SLACK = 1 / 4;

/** A jump over parallel requests that is no window which began anew, and the refill in pieces that could explain it. */
interface Jump {
  readonly change: Transition;
  readonly before: readonly Transition[];
  readonly after: readonly Transition[];
  readonly piece: { readonly least: number; readonly most: number };
  /** The time between two pieces, with the timer's slack, in milliseconds. */
  readonly everyMs: { readonly least: number; readonly most: number };
}

/** Requests at the same time that lowered Remaining by less than any conforming limiter does: BOUNDS.md, "Impossible batch". */
export function findImpossibleBatch(series: Series, quota: Quota): Miscount | undefined {
  for (const jump of jumpsOf(series, quota)) {
    const changes =
      secondJump(jump, quota) ?? (lacksPiece(jump, quota) ? withoutSteps(jump, quota) : undefined);
    if (changes === undefined) continue;
    const { change } = jump;
    return { changes, unexplained: unaccountedGain(change) - mostRefill(quota, change.atMostMs) };
  }
  return undefined;
}

/**
 * How long the key has to rest after a batch that is doubtful and not proven to be impossible, in milliseconds, so
 * that a refill in pieces would show.
 */
export function restThatDecides(series: Series, quota: Quota): number | undefined {
  if (findImpossibleBatch(series, quota) !== undefined) return undefined;
  return jumpsOf(series, quota).at(-1)?.everyMs.most;
}

function jumpsOf(series: Series, quota: Quota): readonly Jump[] {
  const end = (series[0]?.sent ?? 0) + NOTHING_EXPIRES * quota.windowMs;
  const early = transitionsBefore429(series, quota.limit).filter(
    ({ to }) => to.exchange.received.mono <= end,
  );
  // Another client could use a window that began anew so much that it does not look like one.
  if (early.some((change) => fallBeyondUse(change) > 0)) return [];
  const parallel = new Set(parallelRequestsOf(series, quota).jumped.map(({ to }) => to.exchange));
  return early.flatMap((change, at) => {
    if (!parallel.has(change.to.exchange) || mayBeAnew(change, quota)) return [];
    const jump = { change, before: early.slice(0, at), after: early.slice(at + 1) };
    return { ...jump, ...piecesOf(change, quota) };
  });
}

/** A window that begins anew restores everything, so that only requests of the transition itself are missing then. */
const mayBeAnew = ({ to, requests }: Transition, { limit }: Quota): boolean =>
  to.remaining >= limit - requests;

function piecesOf(change: Transition, { limit, windowMs }: Quota): Pick<Jump, 'piece' | 'everyMs'> {
  const perMs = limit / windowMs;
  const least = Math.max(0, unaccountedGain(change) - 1 - perMs * change.atMostMs);
  const most = change.requests - change.fallen + 1;
  return {
    piece: { least, most },
    everyMs: { least: ((1 - TIMER_SLACK) * least) / perMs, most: ((1 + TIMER_SLACK) * most) / perMs },
  };
}

/** The jump and another one, so close that no second piece can have come between them. */
function secondJump(
  { change, before, after, everyMs }: Jump,
  quota: Quota,
): readonly Transition[] | undefined {
  const all = [...before, change, ...after];
  const other = all.find(
    (one) => one !== change && isJump(one, quota) && spanMs(one, change) < everyMs.least,
  );
  return other && all.filter((one) => one === change || one === other);
}

/** From the beginning of the first of two transitions to the end of the second, in milliseconds. */
const spanMs = (one: Transition, other: Transition): number =>
  Math.max(one.to.exchange.received.mono, other.to.exchange.received.mono) -
  Math.min(one.from.exchange.sent.mono, other.from.exchange.sent.mono);

/** Whether no piece came before the jump, or after it, although one must have come there. */
function lacksPiece(jump: Jump, quota: Quota): boolean {
  const { change, before, after, everyMs } = jump;
  if (change.atMostMs > everyMs.least) return false;
  const earliest = change.from.exchange.sent.mono - everyMs.most;
  const latest = change.to.exchange.received.mono + everyMs.most;
  return (
    noPieceIn(before.toReversed(), jump, quota, ({ from }) => from.exchange.received.mono <= earliest) ||
    noPieceIn(after, jump, quota, ({ to }) => to.exchange.sent.mono >= latest)
  );
}

/** @param changes from the jump on, in the order of their distance from it; the first one far enough decides. */
function noPieceIn(
  changes: readonly Transition[],
  jump: Jump,
  quota: Quota,
  isFarEnough: (change: Transition) => boolean,
): boolean {
  let given = 0;
  for (const change of changes) {
    given += change.requests - change.fallen;
    if (couldHide(change, given, jump, quota)) return false;
    if (isFarEnough(change)) return true;
  }
  return false;
}

/** Whether a piece could have come unseen: behind requests that may be free, or because less than a piece was missing. */
const couldHide = ({ from }: Transition, given: number, { piece }: Jump, { limit }: Quota): boolean =>
  given >= piece.least - 1 || from.remaining > limit - piece.most;

/** A counter with steps gives back its share of the window before, at most what the run sent: the jump or one before it is larger. */
function withoutSteps({ change, before }: Jump, { windowMs }: Quota): readonly Transition[] | undefined {
  const all = [...before, change];
  const start = all[0]?.from.exchange.sent.mono ?? 0;
  let sent = 1;
  for (const one of all) {
    sent += one.requests;
    const elapsedMs = one.to.exchange.received.mono - start;
    if (unaccountedGain(one) - 1 > (sent * elapsedMs) / windowMs)
      return one === change ? [one] : [one, change];
  }
  return undefined;
}

/** The highest probability at which a single count and another client's requests may hit where each count goes on. */
const MOST_CHANCE = 1e-4;

/** One reading cannot tell counts apart that lie closer together than this. */
const APART = 2;

/** How many counts explain every reading, where one would not, nor chance: BOUNDS.md, "Counts side by side". */
export function countsSideBySide(series: Series, quota: Quota): number | undefined {
  const counts: number[] = [];
  let current = -1;
  let unread = 0;
  let chance = 1;
  for (const { exchanges, reading } of series) {
    if (reading?.limit !== quota.limit) {
      unread += exchanges.length;
      continue;
    }
    const { remaining } = reading;
    const fresh = counts.length;
    // A request that was not accepted may be free.
    const free = surelyCounts(reading.exchange) ? -1 : counts.indexOf(remaining);
    const gaps = [...counts, quota.limit].map((count) => count - 1 - remaining);
    const at = nearest(gaps, current);
    const gap = gaps[at] ?? Number.POSITIVE_INFINITY;
    if (gap > unread) {
      if (free === -1) return undefined;
      current = free;
      continue;
    }
    const last = counts[current];
    const apart = last !== undefined && Math.abs(last - remaining) >= APART;
    if (at !== fresh && at !== current && apart)
      chance *= Math.min(1, ((counts.length - 1) * (unread + 1)) / quota.limit);
    unread -= gap;
    counts[at] = remaining;
    current = at;
  }
  return chance <= MOST_CHANCE ? counts.length : undefined;
}

/** The index of the least gap that is not negative, or -1; of equal ones the count that was read last. */
function nearest(gaps: readonly number[], current: number): number {
  let found = -1;
  for (const [at, gap] of gaps.entries()) {
    const best = gaps[found] ?? Number.POSITIVE_INFINITY;
    if (gap >= 0 && (gap < best || (gap === best && at === current))) found = at;
  }
  return found;
}
