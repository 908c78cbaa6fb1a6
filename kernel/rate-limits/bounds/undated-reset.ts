import { greatest, least } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { isUndated } from '../../exchanges/http-date.ts';
import type { Quota } from '../quota.ts';
import { surelyCounts } from '../series/keyed-requests.ts';
import type { Overrun } from './accepted-bound.ts';
import { SURELY_REMEMBERED } from './announced-end.ts';
import type { Announcing } from './one-reset-groups.ts';
import { announcedTogether, announcingUndated, showsNoRefill } from './one-reset-groups.ts';

/** Reset is rounded to a second, so two equal ones may be so far apart, in seconds. */
const ROUNDING_SECONDS = 1;

/** A rise of Remaining by this share of the limit may be a window that began anew. */
const JUMP = 1 / 10;

/**
 * The bound for requests whose responses announce one Reset and have no Date, so that nothing shows how far ahead it
 * is: the limit, and what may come back while Reset moves by no more than its rounding; besides, what flows back in
 * their time, unless Remaining shows that nothing does. Derivation: BOUNDS.md, "One Reset without Date".
 * @param exchanges with one key, in the order of sending; a 429 may be among them.
 */
export function beyondUndatedReset(exchanges: readonly Exchange[], quota: Quota): Overrun | undefined {
  if (!exchanges.every(isUndated)) return undefined;
  for (const group of announcedTogether(exchanges, quota, announcingUndated)) {
    for (const members of splitAtJumps(group, quota)) {
      const found = beyondIn(members, exchanges, quota);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function beyondIn(
  members: readonly Announcing[],
  exchanges: readonly Exchange[],
  quota: Quota,
): Overrun | undefined {
  const { limit, windowMs } = quota;
  const resets = members.map(({ reset }) => reset);
  const movedMs = 1000 * (greatest(resets) - least(resets) + ROUNDING_SECONDS);
  if (movedMs >= SURELY_REMEMBERED * windowMs) return undefined;
  const whileMoved = Math.ceil((limit * movedMs) / windowMs);
  const refills = !showsNoRefill(members, exchanges, quota);
  const counted = members.map(({ exchange }) => exchange).filter(surelyCounts);
  let [start, until] = [0, Number.NEGATIVE_INFINITY];
  for (const [at, last] of counted.entries()) {
    until = Math.max(until, last.received.mono);
    const sinceStart = (): number => until - (counted[start]?.sent.mono ?? until);
    while (sinceStart() > SURELY_REMEMBERED * windowMs) start += 1;
    const milliseconds = sinceStart();
    const flow = refills ? Math.floor((limit * milliseconds) / windowMs) : 0;
    const allowed = limit + Math.max(flow, whileMoved) + 1;
    const accepted = at + 1 - start;
    if (accepted > allowed) return { accepted, allowed, milliseconds, last };
  }
  return undefined;
}

/** Splits where Remaining rises from a response to a request that was sent after it. */
function splitAtJumps(members: readonly Announcing[], { limit }: Quota): readonly (readonly Announcing[])[] {
  const received = [...members].sort((a, b) => a.exchange.received.mono - b.exchange.received.mono);
  const parts: Announcing[][] = [[]];
  let [next, lowest] = [0, Number.POSITIVE_INFINITY];
  for (const one of members) {
    for (
      ;
      (received[next]?.exchange.received.mono ?? Number.POSITIVE_INFINITY) <= one.exchange.sent.mono;
      next += 1
    )
      lowest = Math.min(lowest, received[next]?.remaining ?? lowest);
    if (one.remaining > lowest + Math.max(2, JUMP * limit)) {
      parts.push([]);
      lowest = one.remaining;
    }
    parts.at(-1)?.push(one);
  }
  return parts;
}
