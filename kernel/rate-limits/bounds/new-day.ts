import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf } from '../../exchanges/headers.ts';
import { secondsToReset } from '../../exchanges/rate-headers.ts';
import { apparentWaitUnit } from '../../exchanges/retry-after.ts';
import type { Quota } from '../quota.ts';
import { endOfWait } from '../retries.ts';

/** How many requests a day's quota accepted before its 429, compared with the quota. */
export type DayCount =
  /** No more than a conforming limiter gives back beside the quota. */
  | { readonly kind: 'one day' }
  /** More, as where a day began during these requests, and the 429 announces the end of that day. */
  | { readonly kind: 'a new day began' }
  /** More, and the 429 announces no usable end, or one that nothing compares with. */
  | { readonly kind: 'open' }
  /** More, and the day that the 429 announces the end of cannot have begun during these requests. */
  | {
      readonly kind: 'too many';
      /** Seconds from the 429 to the end that it announces, and the least that a new day would leave. */
      readonly announced: number;
      readonly least: number;
    };

/** Rounding and clocks, in milliseconds. */
const SLACK_MS = 2000;

/**
 * Whether more was accepted before the 429 than one day's quota, and whether a day that began meanwhile explains it.
 * Derivation: BOUNDS.md, "A new day".
 * @param accepted the requests that surely count, in the order of sending.
 * @param limited the first 429 about the day, after all of them.
 */
export function dayCountOf(accepted: readonly Exchange[], limited: Exchange, quota: Quota): DayCount {
  const [first] = accepted;
  const beyond = accepted.length - quota.limit;
  // The request after which a new day may have begun at the earliest: what it accepts beyond the quota was used before.
  const earliest = accepted[beyond - 1];
  if (first === undefined || earliest === undefined) return { kind: 'one day' };
  const flow = (quota.limit * (limited.received.mono - first.sent.mono)) / quota.windowMs;
  if (beyond <= 2 * Math.ceil(flow) + 1) return { kind: 'one day' };
  const end = announcedEnd(limited);
  if (end === undefined) return { kind: 'open' };
  const leasts: number[] = [];
  for (let pieces = 1; pieces <= quota.limit / beyond; pieces += 1) {
    const lengthMs = quota.windowMs / pieces;
    const least = earliest.sent.mono + lengthMs - SLACK_MS;
    if (end >= least && end <= limited.received.mono + lengthMs + SLACK_MS)
      return { kind: 'a new day began' };
    leasts.push(least);
  }
  // A wait beyond a day may be a penalty.
  const later = leasts.find((least) => end < least);
  if (later === undefined) return { kind: 'open' };
  const least = leasts.findLast((one) => end < one) ?? later;
  const seconds = (moment: number): number => Math.round((moment - limited.received.mono) / 1000);
  return { kind: 'too many', announced: seconds(end), least: seconds(least) };
}

/** The later one of the two ends that a 429 announces, milliseconds on our clock; undefined where either is unusable. */
function announcedEnd(limited: Exchange): number | undefined {
  const answer = answerOf(limited);
  const toReset = secondsToReset(answer);
  const wait = endOfWait(limited);
  if (toReset === undefined || wait === undefined || apparentWaitUnit(answer) !== undefined) return undefined;
  return Math.max(wait, limited.received.mono + toReset * 1000);
}
