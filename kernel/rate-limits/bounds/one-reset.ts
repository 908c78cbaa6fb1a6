import { firstFound, greatest, least } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import { rateHeadersOf, secondsToReset } from '../../exchanges/rate-headers.ts';
import type { Quota } from '../quota.ts';
import { longerThanOneRefillMs } from '../quota.ts';
import { readingOf, surelyCounts } from '../series.ts';

/** More requests were accepted than any conforming limiter of this plan accepts. */
export interface Overrun {
  readonly accepted: number;
  readonly allowed: number;
  /** From the first sending to the last receipt. */
  readonly milliseconds: number;
  readonly last: Exchange;
}

/** BOUNDS.md, "The shared inequality". @param burst B, the most accepted at once. @param besides requests that the headers show to be counted. */
export function acceptedBeyond(
  exchanges: readonly Exchange[],
  burst: number,
  quota: Quota,
  besides = 0,
): Overrun | undefined {
  const [first] = exchanges;
  const last = exchanges.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const milliseconds = greatest(exchanges.map((one) => one.received.mono)) - first.sent.mono;
  const allowed = burst + Math.floor((quota.limit * milliseconds) / quota.windowMs);
  const accepted = exchanges.filter(surelyCounts).length + besides;
  return accepted > allowed ? { accepted, allowed, milliseconds, last } : undefined;
}

/** A window that slides in steps gives back no request that is younger than this share of it. */
export const SURELY_REMEMBERED = 1 / 2;

/** In a shorter window (milliseconds) a Reset that is rounded to a second may stay the same while quota flows back. */
const LEAST_UNDATED_MS = 10_000;

/** The end of a window and the Date of the response are each rounded to a second, in milliseconds. */
const ROUNDING_MS = 2000;

/** The clock of the limiter may be a second ahead, and Date a second old, in milliseconds; less in short windows: a share of the window. */
const CLOCKS = { ms: 2000, ofWindow: 1 / 6 } as const;

/** Milliseconds on our monotonic clock. */
function earliestAnnouncedEnd(exchange: Exchange, { windowMs }: Quota): number | undefined {
  const seconds = secondsToReset(exchange);
  if (seconds === undefined) return undefined;
  const clocksMs = Math.min(CLOCKS.ms, CLOCKS.ofWindow * windowMs);
  return exchange.sent.mono + seconds * 1000 - ROUNDING_MS - clocksMs;
}

/** Up to the earliest end that its Reset can mean. Without Date nothing shows that; then half a window of the same Reset. */
export function withinOneWindow(
  exchanges: readonly Exchange[],
  start: Exchange,
  quota: Quota,
): readonly Exchange[] {
  const { windowMs } = quota;
  const since = exchanges.filter((exchange) => exchange.sent.mono >= start.sent.mono);
  const end = earliestAnnouncedEnd(start, quota);
  if (end !== undefined) return since.filter(({ received }) => received.mono < end);
  const reset = resetOf(start);
  if (reset === undefined || windowMs < LEAST_UNDATED_MS) return [];
  const other = since.find((exchange) => resetOf(exchange) !== reset)?.sent.mono ?? Number.POSITIVE_INFINITY;
  const until = Math.min(other, start.sent.mono + SURELY_REMEMBERED * windowMs);
  return since.filter(({ received }) => received.mono < until);
}

const resetOf = (exchange: Exchange): number | undefined => rateHeadersOf(exchange).reset;

/** In less time than one request takes to flow back, and within the window of the first response. */
export function cameBeforeAnyRefill(exchanges: readonly Exchange[], quota: Quota): boolean {
  const [first] = exchanges;
  if (first === undefined || withinOneWindow(exchanges, first, quota).length < exchanges.length) return false;
  const received = greatest(exchanges.map((one) => one.received.mono));
  return (received - first.sent.mono) * quota.limit < quota.windowMs;
}

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

/** Each group up to the earliest moment that its Reset can mean. What was rate-limited or unusable can only have used quota. */
export function oneResetGroups(exchanges: readonly Exchange[], quota: Quota): readonly OneResetGroup[] {
  return announcedTogether(exchanges, quota, announcingOf).map((all) => {
    const end = earliestResetOf(all, quota);
    const members = all.filter(({ exchange }) => exchange.received.mono < end);
    const withoutRefill = showsNoRefill(members, exchanges, quota) && !mayFollowTheClock(members, quota);
    return { members, withoutRefill };
  });
}

/** Splits requests where another Reset is announced, or none; `announcing` is undefined where it cannot be used. */
export function announcedTogether(
  exchanges: readonly Exchange[],
  quota: Quota,
  announcing: typeof announcingOf,
): readonly (readonly Announcing[])[] {
  const most = Math.min(JITTER.seconds, (JITTER.ofWindow * quota.windowMs) / 1000);
  const groups: Announcing[][] = [];
  let [low, high] = [Number.NaN, Number.NaN];
  for (const exchange of exchanges) {
    if (isRateLimited(exchange)) continue;
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
  const seconds = secondsToReset(exchange);
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

/** Whether the announced Reset may always be a window ahead, so that a window of a sliding counter may end before it. */
export function mayFollowTheClock(members: readonly Announcing[], { windowMs }: Quota): boolean {
  const isWindowAhead = ({ exchange }: Announcing): boolean =>
    (secondsToReset(exchange) ?? Number.POSITIVE_INFINITY) >= windowMs / 1000 - 1;
  return !standsStill(members) && members.every(isWindowAhead);
}

/** Whether Remaining fell by one over a pause in which a bucket gives one back: it would show the same number again. */
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

/** More was accepted and shown to remain than any conforming limiter of this plan has. */
interface Overpromise extends Overrun {
  /** What the last response shows to remain, although so many were accepted before it. */
  readonly remaining: number;
}

/** The bound for requests whose responses announce one and the same Reset ahead of them: BOUNDS.md, "One announced Reset". A 429 may be among them. */
export const beyondOneReset = (exchanges: readonly Exchange[], quota: Quota): Overrun | undefined =>
  firstFound(oneResetGroups(exchanges, quota), (group) => beyondIn(group, quota));

/** With what a response shows to remain: lost updates show long before the limit is exceeded. BOUNDS.md, "One announced Reset". */
export const advertisedBeyondOneReset = (
  exchanges: readonly Exchange[],
  quota: Quota,
): Overpromise | undefined =>
  firstFound(oneResetGroups(exchanges, quota), (group) => promisedIn(group, quota));

function beyondIn(group: OneResetGroup, quota: Quota): Overrun | undefined {
  const counted = group.members.map(({ exchange }) => exchange).filter(surelyCounts);
  const start = new BestStart(counted, group, quota);
  let until = Number.NEGATIVE_INFINITY;
  for (const [at, last] of counted.entries()) {
    until = Math.max(until, last.received.mono);
    const since = start.before(at, until);
    if (since === undefined) continue;
    const { milliseconds, allowed } = since;
    const accepted = at + 1 - since.index;
    if (accepted > allowed) return { accepted, allowed, milliseconds, last };
  }
  return undefined;
}

function promisedIn(group: OneResetGroup, quota: Quota): Overpromise | undefined {
  const counted = group.members.map(({ exchange }) => exchange).filter(surelyCounts);
  const receipts = counted.map(({ received }) => received.mono).sort((a, b) => a - b);
  const start = new BestStart(counted, group, quota);
  let decided = 0;
  for (const { exchange, remaining } of group.members) {
    while ((receipts[decided] ?? Number.POSITIVE_INFINITY) <= exchange.sent.mono) decided += 1;
    const since = decided === 0 ? undefined : start.before(decided - 1, exchange.received.mono);
    if (since === undefined) continue;
    const { milliseconds, allowed } = since;
    // Of those that were decided before, at most as many as were sent before the start came before it.
    const accepted = decided - since.index;
    if (accepted + remaining > allowed) return { accepted, remaining, allowed, milliseconds, last: exchange };
  }
  return undefined;
}

/** From which request on the most were accepted beyond what flows back; requests are only ever looked at in their order. */
class BestStart {
  readonly #counted: readonly Exchange[];
  readonly #perMs: number;
  readonly #quota: Quota;
  readonly #refills: boolean;
  #best = 0;
  #next = 1;

  constructor(counted: readonly Exchange[], { withoutRefill }: OneResetGroup, quota: Quota) {
    this.#counted = counted;
    this.#quota = quota;
    this.#refills = !withoutRefill;
    this.#perMs = quota.limit / quota.windowMs;
  }

  /** The start for a count up to the request `at`, all of it decided by `until`; undefined where it is too long ago. */
  before(at: number, until: number) {
    for (; this.#next <= at; this.#next += 1)
      if (this.#gain(this.#next) > this.#gain(this.#best) || this.#isTooOld(this.#best, until))
        this.#best = this.#next;
    if (this.#isTooOld(this.#best, until)) return undefined;
    const milliseconds = until - this.#sent(this.#best);
    const flow = this.#refills ? Math.floor(this.#perMs * milliseconds) + 1 : 0;
    return { index: this.#best, milliseconds, allowed: this.#quota.limit + flow };
  }

  /** What a later start loses in requests it gains in time. */
  #gain(index: number): number {
    return (this.#refills ? this.#perMs * this.#sent(index) : 0) - index;
  }

  #isTooOld(index: number, until: number): boolean {
    return until - this.#sent(index) > SURELY_REMEMBERED * this.#quota.windowMs;
  }

  #sent(index: number): number {
    return this.#counted[index]?.sent.mono ?? Number.NEGATIVE_INFINITY;
  }
}
