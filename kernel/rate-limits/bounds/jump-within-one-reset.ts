import type { Exchange } from '../../exchanges/exchange.ts';
import type { Quota } from '../quota.ts';
import { surelyCounts } from '../series/keyed-requests.ts';
import type { Series } from '../series/series.ts';
import { beforeFirst429, exchangesOf } from '../series/series.ts';
import { isJump, transitionsBefore429, unaccountedGain } from '../series/transitions.ts';
import type { Miscount } from './impossible-gain.ts';
import { advertisedBeyondOneReset } from './one-reset.ts';
import type { OneResetGroup } from './one-reset-groups.ts';
import { oneResetGroups, standsStill } from './one-reset-groups.ts';
import { shownToCount, stretchesOf } from './stretches.ts';

/**
 * Finds a jump of Remaining that looks like a window which began anew, and is none: the responses before and after it
 * announce one Reset, which stands still, and what was accepted and is shown to remain is more than that window has.
 * Derivation: BOUNDS.md, "One announced Reset".
 */
export function findJumpWithinOneReset(series: Series, quota: Quota): Miscount | undefined {
  const changes = transitionsBefore429(series, quota.limit);
  if (!changes.some((change) => isJump(change, quota))) return undefined;
  const shown = shownToCount(stretchesOf(changes));
  const counts = (one: Exchange): boolean => surelyCounts(one) || shown.has(one);
  for (const { members } of standingGroups(series, quota)) {
    const exchanges = members.map(({ exchange }) => exchange);
    const found = advertisedBeyondOneReset(exchanges, quota, counts);
    if (found === undefined) continue;
    const gains = changes.filter(
      (change) =>
        unaccountedGain(change) > 0 &&
        exchanges.includes(change.from.exchange) &&
        exchanges.includes(change.to.exchange) &&
        change.from.exchange.sent.mono < found.last.received.mono,
    );
    if (!gains.some((change) => isJump(change, quota))) continue;
    return { changes: gains, unexplained: found.accepted + found.remaining - found.allowed };
  }
  return undefined;
}

/**
 * Whether a request that was sent alone did not lower Remaining, although the headers show that nothing flows back
 * before the announced Reset: then more than concurrency is miscounted.
 */
export function missesOneByOne(series: Series, quota: Quota): boolean {
  const groups = standingGroups(series, quota)
    .filter(({ withoutRefill }) => withoutRefill)
    .map(({ members }) => new Set(members.map(({ exchange }) => exchange)));
  return transitionsBefore429(series, quota.limit).some(
    (change) =>
      change.requests === 1 &&
      unaccountedGain(change) > 0 &&
      groups.some((group) => group.has(change.from.exchange) && group.has(change.to.exchange)),
  );
}

/** The requests before the first 429 that announce one Reset for longer than a Reset that moves with each response does. */
function standingGroups(series: Series, quota: Quota): readonly OneResetGroup[] {
  const sent = exchangesOf(beforeFirst429(series)).toSorted((a, b) => a.sent.mono - b.sent.mono);
  return oneResetGroups(sent, quota).filter(({ members }) => standsStill(members));
}
