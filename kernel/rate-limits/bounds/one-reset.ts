import type { Exchange } from '../../exchanges/exchange.ts';
import type { Quota } from '../quota.ts';
import { surelyCounts } from '../series/keyed-requests.ts';
import type { Overrun } from './accepted-bound.ts';
import { SURELY_REMEMBERED } from './announced-end.ts';
import type { OneResetGroup } from './one-reset-groups.ts';
import { oneResetGroups } from './one-reset-groups.ts';

/** More was accepted and shown to remain than any conforming limiter of this plan has. */
export interface Overpromise extends Overrun {
  /** What the last response shows to remain, although so many were accepted before it. */
  readonly remaining: number;
}

/** Which requests used quota. */
type Counts = (exchange: Exchange) => boolean;

/**
 * The bound for requests whose responses announce one and the same Reset ahead of them: the limit, and what flows
 * back continuously in their time unless Remaining shows that nothing does.
 * Derivation: BOUNDS.md, "One announced Reset".
 * @param exchanges with one key, in the order of sending; a 429 may be among them.
 */
export function beyondOneReset(
  exchanges: readonly Exchange[],
  quota: Quota,
  counts: Counts = surelyCounts,
): Overrun | undefined {
  for (const group of oneResetGroups(exchanges, quota)) {
    const found = beyondIn(group, quota, counts);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The same for what was accepted before a response and what that response shows to remain: updates that are lost
 * show long before the limit is exceeded. Derivation: BOUNDS.md, "One announced Reset".
 */
export function advertisedBeyondOneReset(
  exchanges: readonly Exchange[],
  quota: Quota,
  counts: Counts = surelyCounts,
): Overpromise | undefined {
  for (const group of oneResetGroups(exchanges, quota)) {
    const found = promisedIn(group, quota, counts);
    if (found !== undefined) return found;
  }
  return undefined;
}

function beyondIn(group: OneResetGroup, quota: Quota, counts: Counts): Overrun | undefined {
  const counted = group.members.map(({ exchange }) => exchange).filter(counts);
  if (counted.length <= quota.limit) return undefined;
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

function promisedIn(group: OneResetGroup, quota: Quota, counts: Counts): Overpromise | undefined {
  const counted = group.members.map(({ exchange }) => exchange).filter(counts);
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
