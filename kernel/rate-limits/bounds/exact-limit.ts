import type { Exchange } from '../../exchanges/exchange.ts';
import type { Quota } from '../quota.ts';
import { longerThanOneRefillMs } from '../quota.ts';
import { surelyCounts } from '../series/keyed-requests.ts';
import type { Transition } from '../series/transitions.ts';
import { unaccountedGain } from '../series/transitions.ts';
import type { Overrun } from './accepted-bound.ts';
import { acceptedBeyond } from './accepted-bound.ts';
import { cameBeforeAnyRefill, withinOneWindow } from './announced-end.ts';
import { counterMayTurn } from './end-of-counter.ts';
import type { Stretch } from './stretches.ts';
import { countedBesides, hiddenGains, largestPiece, stretchesOf } from './stretches.ts';

/**
 * The bound for requests that came before anything flows back continuously: exactly
 * the limit, and the largest piece that the headers show to have come back at once.
 * `open` where more may have flowed back. Derivation: BOUNDS.md, "Exactly the limit".
 */
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

/**
 * The bound until the first announced Reset, once a long enough stretch has shown that nothing flows back: exactly the
 * limit. A limiter that gives back in pieces may pause for as long, but then two or more come back at once where that
 * many are missing, and where fewer are missing the limit is full again: there the count begins anew. Derivation:
 * BOUNDS.md, "Exactly the limit".
 */
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
  if (last === undefined || accepted <= quota.limit) return undefined;
  if (counterMayTurn(within, quota)) return undefined;
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
