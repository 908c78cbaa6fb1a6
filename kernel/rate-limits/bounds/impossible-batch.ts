import type { Quota } from '../quota.ts';
import { mostRefill } from '../quota.ts';
import type { Series } from '../series/series.ts';
import type { Transition } from '../series/transitions.ts';
import { fallBeyondUse, isJump, transitionsBefore429, unaccountedGain } from '../series/transitions.ts';
import type { Miscount } from './impossible-gain.ts';
import { parallelRequestsOf } from './parallel-undercount.ts';

/** Until this share of a window after the first request, no window that slides in steps gives anything back: not even one with two steps. */
const NOTHING_EXPIRES = 1 / 2;

/** By how much of its interval a timer that refills a bucket may be early or late. */
const TIMER_SLACK = 1 / 4;

/** A jump over parallel requests that is no window which began anew, and the refill in pieces that could explain it. */
interface Jump {
  readonly change: Transition;
  readonly before: readonly Transition[];
  readonly after: readonly Transition[];
  /** How large a piece is. */
  readonly piece: { readonly least: number; readonly most: number };
  /** The time between two pieces, with the timer's slack, in milliseconds. */
  readonly everyMs: { readonly least: number; readonly most: number };
}

/**
 * Finds requests that were sent at the same time and lowered Remaining by less
 * than any conforming limiter does in the milliseconds that they took, however
 * short its window is. Derivation: BOUNDS.md, "Impossible batch".
 */
export function findImpossibleBatch(series: Series, quota: Quota): Miscount | undefined {
  for (const jump of jumpsOf(series, quota)) {
    const isNoPiece = noPieceBefore(jump, quota) || noPieceAfter(jump, quota);
    const changes = secondJump(jump, quota) ?? (isNoPiece ? withoutSteps(jump, quota) : undefined);
    if (changes === undefined) continue;
    const { change } = jump;
    return { changes, unexplained: unaccountedGain(change) - mostRefill(quota, change.atMostMs) };
  }
  return undefined;
}

/**
 * How long the key has to rest after a batch, in milliseconds, so that a refill in
 * pieces would show: where a batch is doubtful and not proven to be impossible yet.
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

/** Another jump, so close that no second piece can have come in it. */
function secondJump(
  { change, before, after, everyMs }: Jump,
  quota: Quota,
): readonly Transition[] | undefined {
  const latest = change.to.exchange.received.mono - everyMs.least;
  const earliest = change.from.exchange.sent.mono + everyMs.least;
  const earlier = before.find((one) => one.from.exchange.sent.mono > latest && isJump(one, quota));
  if (earlier !== undefined) return [earlier, change];
  const later = after.find((one) => one.to.exchange.received.mono < earliest && isJump(one, quota));
  return later === undefined ? undefined : [change, later];
}

/** Whether no piece came before the jump, although one must have come there. */
function noPieceBefore(jump: Jump, quota: Quota): boolean {
  const { change, before, everyMs } = jump;
  const from = change.from.exchange.sent.mono;
  if (change.to.exchange.received.mono - everyMs.least > from) return false;
  return noPieceIn(
    before.toReversed(),
    jump,
    quota,
    (earlier) => earlier.from.exchange.received.mono <= from - everyMs.most,
  );
}

/** The same for the time after the jump. */
function noPieceAfter(jump: Jump, quota: Quota): boolean {
  const { change, after, everyMs } = jump;
  const to = change.to.exchange.received.mono;
  if (change.from.exchange.sent.mono + everyMs.least < to) return false;
  return noPieceIn(after, jump, quota, (later) => later.to.exchange.sent.mono >= to + everyMs.most);
}

/**
 * Whether none of these transitions could hide a piece, up to the first one that is far enough from the jump.
 * @param changes from the jump on, in the order of their distance from it.
 */
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

/**
 * A sliding counter that counts time in steps gives back at each step its share
 * of the window before, however long it takes to the next one. At most
 * everything that the run sent lies in that window, and a step is no longer than
 * the run so far. So either the jump or one before it is larger than that.
 */
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
