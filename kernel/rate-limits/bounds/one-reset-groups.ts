import { greatest, least } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf } from '../../exchanges/headers.ts';
import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import { rateHeadersOf, secondsToReset } from '../../exchanges/rate-headers.ts';
import type { Quota } from '../quota.ts';
import { longerThanOneRefillMs } from '../quota.ts';
import { surelyCounts } from '../series/keyed-requests.ts';
import { readingOf } from '../series/reading.ts';
import { earliestAnnouncedEnd } from './announced-end.ts';

/** A response that announces the Reset of its group. */
export interface Announcing {
  readonly exchange: Exchange;
  readonly remaining: number;
  /** Unix seconds. */
  readonly reset: number;
}

/** Responses in the order of sending that announce one Reset, which lies ahead of all of them. */
export interface OneResetGroup {
  readonly members: readonly Announcing[];
  /** Whether Remaining shows that nothing flows back continuously, and Reset that no window of a counter ends in between. */
  readonly withoutRefill: boolean;
}

/** Recomputed values of one Reset may differ by a second, and by no more than this share of a window. */
const JITTER = { seconds: 1, ofWindow: 1 / 5 } as const;

/** Reset and Date are each rounded to a second, in seconds. */
const ROUNDING_SECONDS = 2;

/**
 * Splits requests where another Reset, another Limit or none is announced, each group up to the earliest moment that its
 * Reset can mean. What was rate-limited or got no usable response is left out: it can only have used quota.
 * @param exchanges with one key, in the order of sending.
 */
export function oneResetGroups(exchanges: readonly Exchange[], quota: Quota): readonly OneResetGroup[] {
  return announcedTogether(exchanges, quota, announcingOf).flatMap((all) => {
    const end = earliestResetOf(all, quota);
    const members = all.filter(({ exchange }) => exchange.received.mono < end);
    if (members.length === 0) return [];
    const withoutRefill = showsNoRefill(members, exchanges, quota) && !mayFollowTheClock(members, quota);
    return [{ members, withoutRefill }];
  });
}

/**
 * Splits requests where another Reset is announced, or none.
 * @param announcing what a response announces; undefined where that cannot be used.
 */
export function announcedTogether(
  exchanges: readonly Exchange[],
  quota: Quota,
  announcing: typeof announcingOf,
): readonly (readonly Announcing[])[] {
  const most = Math.min(JITTER.seconds, (JITTER.ofWindow * quota.windowMs) / 1000);
  const groups: Announcing[][] = [];
  let [low, high] = [Number.NaN, Number.NaN];
  for (const exchange of exchanges) {
    if (answerOf(exchange) === undefined || isRateLimited(exchange)) continue;
    const one = announcing(exchange, quota);
    const group = groups.at(-1);
    if (one === undefined) {
      // What announces nothing usable may lie in another window.
      if (surelyCounts(exchange)) groups.push([]);
    } else if (group?.[0] !== undefined && Math.max(high, one.reset) - Math.min(low, one.reset) <= most) {
      [low, high] = [Math.min(low, one.reset), Math.max(high, one.reset)];
      group.push(one);
    } else {
      [low, high] = [one.reset, one.reset];
      groups.push([one]);
    }
  }
  return groups;
}

/** What a response announces, where it does so about the minute and for a time within one window. */
export function announcingOf(exchange: Exchange, quota: Quota): Announcing | undefined {
  const seconds = secondsToReset(answerOf(exchange));
  if (seconds === undefined || seconds > quota.windowMs / 1000 + ROUNDING_SECONDS) return undefined;
  return announcingUndated(exchange, quota);
}

/** What a response announces about the minute, however far ahead that is. */
export function announcingUndated(exchange: Exchange, quota: Quota): Announcing | undefined {
  const reading = readingOf(exchange);
  const { reset } = rateHeadersOf(exchange);
  if (reading?.limit !== quota.limit || reset === undefined) return undefined;
  return { exchange, remaining: reading.remaining, reset };
}

/** The earliest moment that the Reset of a group can mean, with every rounding, its jitter and other clocks: milliseconds on our monotonic clock. */
export function earliestResetOf(members: readonly Announcing[], quota: Quota): number {
  const resets = members.map(({ reset }) => reset);
  const jitterMs = 1000 * (greatest(resets) - least(resets));
  const ends = members.map(
    ({ exchange }) => earliestAnnouncedEnd(exchange, quota) ?? Number.NEGATIVE_INFINITY,
  );
  return least(ends) - jitterMs;
}

/** For how long a Reset must stand still to be none that is counted from each response: more than its jitter, and the rounding of both sides. */
const STANDS_STILL_MS = 2100;

/** Whether the Reset that all of these announce stands still, as none does that is the present time and a window. */
export function standsStill(members: readonly Announcing[]): boolean {
  const first = least(members.map(({ exchange }) => exchange.received.mono));
  return greatest(members.map(({ exchange }) => exchange.sent.mono)) - first >= STANDS_STILL_MS;
}

/**
 * Whether the Reset that all of these announce may be the present time and a window, so that a window of a sliding
 * counter may end before it: it does not stand still, and is always a window ahead, with a second for rounding.
 */
export function mayFollowTheClock(members: readonly Announcing[], { windowMs }: Quota): boolean {
  const isWindowAhead = ({ exchange }: Announcing): boolean =>
    (secondsToReset(answerOf(exchange)) ?? Number.POSITIVE_INFINITY) >= windowMs / 1000 - 1;
  return !standsStill(members) && members.every(isWindowAhead);
}

/**
 * Whether Remaining fell by one from one single request to the next over a pause in which a bucket gives one back.
 * A bucket that is not full would show the same number again, a full one as well.
 */
export function showsNoRefill(
  members: readonly Announcing[],
  exchanges: readonly Exchange[],
  quota: Quota,
): boolean {
  const enoughMs = longerThanOneRefillMs(quota);
  return members.some((to, at) => {
    const from = members[at - 1];
    if (from === undefined || !surelyCounts(to.exchange) || !surelyCounts(from.exchange)) return false;
    const pauseMs = to.exchange.sent.mono - from.exchange.received.mono;
    if (pauseMs < enoughMs || from.remaining - to.remaining !== 1) return false;
    return exchanges.every(
      (one) =>
        one === from.exchange ||
        one === to.exchange ||
        one.received.mono <= from.exchange.sent.mono ||
        one.sent.mono >= to.exchange.received.mono,
    );
  });
}
