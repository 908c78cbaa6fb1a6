import { firstFound } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { accepted, isRateLimited } from '../../exchanges/outcome-kinds.ts';
import { apparentWaitUnit, rateHeadersOf, secondsToReset } from '../../exchanges/rate-headers.ts';
import type { Quota } from '../quota.ts';
import type { Reading } from '../series.ts';
import { endOfWait } from '../waits.ts';

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

/** Whether more than the day's quota was accepted before the first 429 about it, and why: BOUNDS.md, "A new day". */
export function dayCountOf(accepted: readonly Exchange[], limited: Exchange, quota: Quota): DayCount {
  const [first] = accepted;
  const beyond = accepted.length - quota.limit;
  // The request after which a new day may have begun at the earliest: what it accepts beyond the quota was used before.
  const earliest = accepted[beyond - 1];
  if (first === undefined || earliest === undefined) return { kind: 'one day' };
  const flow = (quota.limit * (limited.received.mono - first.sent.mono)) / quota.windowMs;
  if (beyond <= 2 * Math.ceil(flow) + 1) return { kind: 'one day' };
  const end = announcedEnd(limited);
  const leasts: number[] = [];
  for (let pieces = 1; pieces <= quota.limit / beyond; pieces += 1) {
    const lengthMs = quota.windowMs / pieces;
    const least = earliest.sent.mono + lengthMs - SLACK_MS;
    if (end >= least && end <= limited.received.mono + lengthMs + SLACK_MS)
      return { kind: 'a new day began' };
    leasts.push(least);
  }
  // A wait beyond a day may be a penalty.
  const least = leasts.findLast((one) => end < one);
  if (least === undefined) return { kind: 'open' };
  const seconds = (moment: number): number => Math.round((moment - limited.received.mono) / 1000);
  return { kind: 'too many', announced: seconds(end), least: seconds(least) };
}

/** The later one of the two ends that a 429 announces, milliseconds on our clock; NaN where either is unusable. */
function announcedEnd(limited: Exchange): number {
  if (apparentWaitUnit(limited) !== undefined) return Number.NaN;
  const toResetMs = 1000 * (secondsToReset(limited) ?? Number.NaN);
  return Math.max(endOfWait(limited) ?? Number.NaN, limited.received.mono + toResetMs);
}

/** More was accepted between two 429 responses than a conforming limiter gives back in that time. */
interface AcceptedBetween {
  readonly from: Exchange;
  readonly to: Exchange;
  readonly accepted: readonly Exchange[];
  readonly allowed: number;
  /** From the sending of the first 429 to the receipt of the last one. */
  readonly milliseconds: number;
}

/** BOUNDS.md, "Between two 429 responses". @param counts whether an accepted request surely is one of the service. */
export function acceptedBetween429s(
  exchanges: readonly Exchange[],
  counts: (exchange: Exchange) => boolean,
  quota: Quota,
): AcceptedBetween | undefined {
  const end = (exchanges[0]?.sent.mono ?? 0) + quota.windowMs / 2;
  const early = exchanges.filter(({ received }) => received.mono <= end);
  const exhausting = exhausting429s(early, quota);
  return firstFound(exhausting, (from) =>
    fromThis429(from, early.slice(early.indexOf(from) + 1), exhausting, counts, quota),
  );
}

/** The 429 responses at which this quota was used: a further limit, such as one for each second, leaves some of it. */
function exhausting429s(exchanges: readonly Exchange[], { limit }: Quota): readonly Exchange[] {
  let used = 0;
  let noneLeft = false;
  return exchanges.filter((one) => {
    const shown = rateHeadersOf(one);
    const left = shown.limit === limit ? shown.remaining : undefined;
    if (accepted(one)) [used, noneLeft] = [used + 1, left === 0];
    return isRateLimited(one) && (noneLeft || used >= limit) && (left ?? 0) === 0;
  });
}

function fromThis429(
  from: Exchange,
  later: readonly Exchange[],
  exhausting: readonly Exchange[],
  counts: (exchange: Exchange) => boolean,
  quota: Quota,
): AcceptedBetween | undefined {
  const between: Exchange[] = [];
  let inARow = 0;
  let largest = 0;
  for (const to of later) {
    if (accepted(to)) {
      inARow += 1;
      largest = Math.max(largest, inARow);
      if (counts(to)) between.push(to);
      continue;
    }
    if (!exhausting.includes(to)) continue;
    inARow = 0;
    const milliseconds = to.received.mono - from.sent.mono;
    const allowed = Math.floor((quota.limit * milliseconds) / quota.windowMs) + largest + 1;
    if (between.length > allowed) return { from, to, accepted: between, allowed, milliseconds };
  }
  return undefined;
}

// Whether a window is untouched is decided here and nowhere else. Every answer
// to "untouched" is a bound on Remaining in a response, with one of two tolerances.

type QuotaShown = Pick<Reading, 'limit' | 'remaining'>;

/** The request that shows the reading has used one itself. */
const ITSELF = 1;

/** A request under way together with it may have been counted before it, and a bucket may round what flowed back. */
const ITSELF_AND_ONE_MORE = 2;

/** Whether nothing of this limit was used before the request that shows it: the strict form, for a count that begins here. */
export function showsUntouched<R extends QuotaShown>(reading: R | undefined, limit: number): reading is R {
  return reading?.limit === limit && reading.remaining >= limit - ITSELF;
}

/** Whether a window that had been used is full again: the lenient form, for a refill that is observed. */
export function showsRefilled<R extends QuotaShown>(reading: R | undefined, limit: number): reading is R {
  return reading?.limit === limit && reading.remaining >= limit - ITSELF_AND_ONE_MORE;
}

/** Whether a part of this limit was used before the request that shows it. */
export function showsUse<R extends QuotaShown>(reading: R | undefined, limit: number): reading is R {
  return reading?.limit === limit && !showsUntouched(reading, limit);
}

/** Whether nothing in this response speaks against an untouched limit, as a 429 or a lower Remaining does. */
export function mayBeUntouched(exchange: Exchange, limit: number): boolean {
  if (isRateLimited(exchange)) return false;
  const shown = rateHeadersOf(exchange);
  return shown.limit !== limit || (shown.remaining ?? limit) >= limit - ITSELF;
}
