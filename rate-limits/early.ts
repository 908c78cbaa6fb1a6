import type { Exchange } from '../exchanges/exchange.ts';
import { greatest } from '../exchanges/extremes.ts';
import type { Limits } from '../suites/model/journal.ts';
import type { Quota } from './accounting.ts';
import { isJump, transitions } from './accounting.ts';
import type { Reading, Series, Step } from './series.ts';
import { accepted, isRateLimited } from './series.ts';

/** The step at which the first 429 of a series came, and what was answered otherwise or not at all up to it. */
export interface First429 {
  readonly step: Step;
  readonly exchange: Exchange;
  readonly before: readonly Exchange[];
}

/** The first 429 that surely is the key's. Whose limit an odd presentation of the key meets is left open. */
export function first429Of(series: Series): First429 | undefined {
  const ofTheKey = (one: Exchange): boolean => isRateLimited(one) && one.caller === 'key';
  const index = series.findIndex(({ exchanges }) => exchanges.some(ofTheKey));
  const step = series[index];
  const exchange = step?.exchanges.find(ofTheKey);
  if (step === undefined || exchange === undefined) return undefined;
  const before = series
    .slice(0, index + 1)
    .flatMap(({ exchanges }) => exchanges.filter((one) => !isRateLimited(one)));
  return { step, exchange, before };
}

/** Rounds are counted exactly; what flows back at their end may be one request more or less. */
const ALIKE = 1;

/** Whether two refusals came after as many requests, or with as many still promised. */
export const alike = (a: number, b: number): boolean => Math.abs(a - b) <= ALIKE;

/** Requests that were answered before a refusal, and how many there was room for. */
export interface Room {
  readonly answered: number;
  readonly promised: number;
}

/**
 * Counted since the window last began anew, because what came before belongs
 * to another window: all of the limit, or what a refill in one piece brought.
 */
export function roomBefore(series: Series, { before }: First429, quota: Quota): Room {
  const turn = transitions(series, quota.limit).findLast((change) => isJump(change, quota));
  if (turn === undefined) return { answered: before.length, promised: quota.limit };
  const since = before.filter((exchange) => exchange.sent.mono >= turn.from.exchange.received.mono);
  return {
    answered: since.length,
    promised: Math.min(quota.limit, turn.to.remaining + turn.requests),
  };
}

/**
 * The answer right before a refusal where it still promised as many requests
 * as were then sent. Requests sent at the same time are promised only if that
 * many were left.
 */
export function promiseBefore(series: Series, { step }: First429, limits: Limits): Reading | undefined {
  const before = series[series.indexOf(step) - 1]?.reading;
  if (before === undefined || before.limit !== limits.perMinute) return undefined;
  return before.remaining < step.exchanges.length ? undefined : before;
}

/** A pause before a 429 that is longer than this share of a window, and than so many milliseconds, leaves another client time to exhaust a quota. */
const PAUSE = { share: 1 / 30, leastMs: 500 } as const;

/**
 * Whether the first 429 of a series was sent so long after the last accepted
 * response that another client of the key had time to use what was left: an
 * answer was lost and waited for, or the run rested.
 */
export function afterPause({ exchange, before }: First429, { windowMs }: Quota): boolean {
  const heard = greatest(before.filter(accepted).map(({ received }) => received.mono));
  return exchange.sent.mono - heard > Math.max(PAUSE.leastMs, PAUSE.share * windowMs);
}
