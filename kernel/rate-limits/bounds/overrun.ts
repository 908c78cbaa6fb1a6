import type { Limits } from '../../../spec/plans.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import type { Quota } from '../quota.ts';
import { longerThanOneRefillMs, minuteQuota } from '../quota.ts';
import type { Series, Transition } from '../series.ts';
import {
  beforeFirst429,
  exchangesOf,
  isJump,
  surelyCounts,
  transitionsBefore429,
  unaccountedGain,
  upToFirst429,
} from '../series.ts';
import type { Overrun } from './one-reset.ts';
import {
  acceptedBeyond,
  announcedTogether,
  announcingUndated,
  beyondOneReset,
  cameBeforeAnyRefill,
  mayFollowTheClock,
  withinOneWindow,
} from './one-reset.ts';
import type { Stretch } from './refill.ts';
import { countedBesides, hiddenGains, largestPiece, stretchesOf } from './refill.ts';

/** Whether a window of a sliding counter may have ended among these requests: BOUNDS.md, "The end of a counter's window". */
export function counterMayTurn(exchanges: readonly Exchange[], quota: Quota): boolean {
  const [together = [], ...others] = announcedTogether(exchanges, quota, announcingUndated);
  return others.length > 0 || mayFollowTheClock(together, quota);
}

/** The bound for requests that came before anything flows back; `open` where more may have flowed back. BOUNDS.md, "Exactly the limit". */
export function beyondLimitBeforeRefill(
  exchanges: readonly Exchange[],
  stretches: readonly Stretch[],
  quota: Quota,
): Overrun | undefined | 'open' {
  if (!cameBeforeAnyRefill(exchanges, quota)) return 'open';
  const piece = largestPiece(stretches);
  // A gain of one is what an excess request itself shows where Remaining stays at 0.
  const atOnce = piece > 1 ? piece : Number(counterMayTurn(exchanges, quota));
  return acceptedBeyond(exchanges, quota.limit + atOnce, quota, countedBesides(stretches));
}

/** The bound until the first announced Reset, once a long enough stretch has shown that nothing flows back: BOUNDS.md, "Exactly the limit". */
export function beyondLimitWithoutRefill(
  exchanges: readonly Exchange[],
  changes: readonly Transition[],
  quota: Quota,
): Overrun | undefined {
  const full = changes.findLastIndex(
    (change) => unaccountedGain(change) > 0 && change.to.remaining >= quota.limit - change.requests - 1,
  );
  const since = changes.slice(full + 1);
  const stretches = stretchesOf(since);
  const start = changes[full]?.to.exchange ?? exchanges[0];
  if (start === undefined || largestPiece(stretches) > 1 || !fallsWithoutRefill(since, quota))
    return undefined;
  const within = withinOneWindow(exchanges, start, quota);
  const last = within.at(-1);
  const accepted = within.filter(surelyCounts).length + countedBesides(stretches) - hiddenGains(stretches);
  if (last === undefined || accepted <= quota.limit || counterMayTurn(within, quota)) return undefined;
  return { accepted, allowed: quota.limit, milliseconds: last.received.mono - start.sent.mono, last };
}

/** Whether Remaining fell by exactly what was sent for longer than a bucket takes to give one request back. */
function fallsWithoutRefill(changes: readonly Transition[], quota: Quota): boolean {
  const enoughMs = longerThanOneRefillMs(quota);
  let since: number | undefined;
  for (const { from, to, fallen, requests } of changes) {
    since = fallen === requests ? (since ?? from.exchange.received.mono) : undefined;
    if (since !== undefined && to.exchange.sent.mono - since >= enoughMs) return true;
  }
  return false;
}

/** BOUNDS.md, "The limit plus refill". @param exchanges those of one window, up to its last reading; after that it may begin anew unseen. */
export const beyondLimitPlusRefill = (
  exchanges: readonly Exchange[],
  stretches: readonly Stretch[],
  quota: Quota,
): Overrun | undefined =>
  acceptedBeyond(exchanges, quota.limit + largestPiece(stretches), quota, countedBesides(stretches));

/** The bound that needs no headers: BOUNDS.md, "Twice the limit". */
export const beyondTwiceTheLimit = (exchanges: readonly Exchange[], quota: Quota): Overrun | undefined =>
  acceptedBeyond(exchanges, 2 * quota.limit, quota);

/** Each beginning of a series is judged by itself: what comes later can only hide what was proven, never undo it. */
export function firstOverrun(series: Series, limits: Limits): Overrun | undefined {
  let sent = 0;
  for (const [index, { exchanges }] of series.entries()) {
    sent += exchanges.length;
    const found = sent > limits.perMinute ? overrunOf(series.slice(0, index + 1), limits) : undefined;
    if (found !== undefined) return found;
    if (exchanges.some(isRateLimited)) return undefined;
  }
  return undefined;
}

/** Whether the series up to its first 429 was accepted beyond the limit, by the tightest bound that its headers permit. */
export function overrunOf(series: Series, limits: Limits): Overrun | undefined {
  const quota = minuteQuota(limits);
  const served = exchangesOf(upToFirst429(series)).filter((exchange) => !isRateLimited(exchange));
  return beyondTwiceTheLimit(served, quota) ?? beyondLimitOfLastWindow(series, served, quota);
}

/** The bounds for what came since the headers last showed a window that began anew. */
function beyondLimitOfLastWindow(
  series: Series,
  served: readonly Exchange[],
  quota: Quota,
): Overrun | undefined {
  const changes = transitionsBefore429(series, quota.limit);
  const lastJump = changes.findLastIndex((change) => isJump(change, quota));
  // Before the first reading a window may have begun anew unseen, too.
  const start = changes[lastJump]?.to.exchange ?? firstReading(series, quota);
  if (start === undefined) return undefined;
  const segment = served.filter((exchange) => exchange.sent.mono >= start.sent.mono);
  const since = changes.slice(lastJump + 1);
  const stretches = stretchesOf(since);
  const early = beyondLimitBeforeRefill(segment, stretches, quota);
  if (early !== 'open') return early;
  const underOneReset = beyondOneReset(segment, quota);
  const last = changes.at(-1)?.to.exchange;
  if (last === undefined || underOneReset !== undefined) return underOneReset;
  // After the last reading a window may have begun anew unseen.
  const read = segment.filter((exchange) => exchange.sent.mono <= last.sent.mono);
  return beyondLimitWithoutRefill(segment, since, quota) ?? beyondLimitPlusRefill(read, stretches, quota);
}

/** The first response before a 429 that states this limit: of a burst whose responses overlap, it may be the only one. */
const firstReading = (series: Series, { limit }: Quota): Exchange | undefined =>
  beforeFirst429(series).find(({ reading }) => reading?.limit === limit)?.reading?.exchange;
