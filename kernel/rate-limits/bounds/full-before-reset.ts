import type { Exchange } from '../../exchanges/exchange.ts';
import type { Quota } from '../quota.ts';
import { surelyCounts } from '../series/keyed-requests.ts';
import type { Series } from '../series/series.ts';
import { beforeFirst429, exchangesOf } from '../series/series.ts';
import type { Transition } from '../series/transitions.ts';
import { fallBeyondUse, isJump, transitionsBefore429, unaccountedGain } from '../series/transitions.ts';
import { showsRefilled, showsUntouched } from '../untouched.ts';
import type { Announcing } from './one-reset-groups.ts';
import {
  announcedTogether,
  announcingOf,
  announcingUndated,
  earliestResetOf,
  showsNoRefill,
} from './one-reset-groups.ts';

/** A quota that was full again before the Reset that its first request announced. */
export interface FullBeforeReset {
  /** The response that announces the Reset, from an untouched quota on. */
  readonly first: Exchange;
  /** The first change after which the quota was full again. */
  readonly change: Transition;
  /** By how much that was earlier than the earliest moment that the Reset can mean, in milliseconds. */
  readonly earlyMs: number;
  /** The requests that surely count and were answered before that moment. */
  readonly accepted: readonly Exchange[];
}

/** The end of a window is rounded, and recomputed for each response: so much later than another one a Reset surely is another one, in seconds. */
const ANOTHER_RESET = 2;

/** More than a limiter that gives nothing back in its window shows by rounding or by a refund. */
const MORE_THAN_ROUNDING = 3;

/**
 * Finds a quota that is full again, and announces a later Reset, before the Reset that its untouched state announced.
 * Derivation: BOUNDS.md, "Full before Reset".
 */
export function fullBeforeReset(series: Series, quota: Quota): FullBeforeReset | undefined {
  const members = firstAnnounced(series, quota);
  const first = members?.[0]?.exchange;
  if (members === undefined || first === undefined) return undefined;
  const end = earliestResetOf(members, quota);
  const changes = transitionsBefore429(series, quota.limit);
  const sent = exchangesOf(series);
  const withoutRefill = showsNoRefill(members, sent, quota);
  const jumps = changes.filter(
    (change) => isJump(change, quota) || (withoutRefill && unaccountedGain(change) >= MORE_THAN_ROUNDING),
  );
  const change = jumps[0];
  if (change === undefined || !jumps.every((one) => beginsAnew(one, quota))) return undefined;
  // Counts of several operations or connections fall back to a count that stood elsewhere.
  if (changes.slice(changes.indexOf(change)).some((one) => fallBeyondUse(one) > 0)) return undefined;
  const earlyMs = end - change.to.exchange.received.mono;
  if (earlyMs <= 0) return undefined;
  const accepted = exchangesOf(beforeFirst429(series)).filter(
    (one) => surelyCounts(one) && one.received.mono < end,
  );
  return { first, change, earlyMs, accepted };
}

/** The responses that announce the Reset of the first one, where that one shows an untouched quota. */
function firstAnnounced(series: Series, quota: Quota): readonly Announcing[] | undefined {
  const [begin] = series;
  const first = begin?.exchanges[0];
  if (first === undefined || !surelyCounts(first) || !showsUntouched(begin?.reading, quota.limit))
    return undefined;
  const sent = exchangesOf(beforeFirst429(series));
  const [members] = announcedTogether(sent, quota, announcingOf);
  return members?.[0]?.exchange === first ? members : undefined;
}

/** Whether the quota is full again after a change, under a later Reset than before. */
function beginsAnew({ from, to }: Transition, quota: Quota): boolean {
  const [before, after] = [from, to].map(({ exchange }) => announcingUndated(exchange, quota)?.reset);
  if (before === undefined || after === undefined) return false;
  return showsRefilled(to, quota.limit) && after - before >= ANOTHER_RESET;
}
