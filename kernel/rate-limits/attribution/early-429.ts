import type { Limits } from '../../../spec/plans.ts';
import { greatest, least } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf } from '../../exchanges/headers.ts';
import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import type { Quota } from '../quota.ts';
import type { Reading } from '../series/reading.ts';
import type { Series, SeriesStep } from '../series/series.ts';
import { isJump, transitionsBefore429 } from '../series/transitions.ts';

/** The first 429 of a series, the step in which it came, and what was answered otherwise or not at all up to it. */
export interface First429 {
  readonly step: SeriesStep;
  readonly exchange: Exchange;
  readonly before: readonly Exchange[];
}

/** The first 429 that surely is the key's. A 429 to an unspecified presentation of the key may be about another limit. */
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
const FLOW = 1;

/** Whether rounds ended after as many requests, or with as many remaining, but for what flows back meanwhile. */
export const sameWithinOne = (counts: readonly number[]): boolean => greatest(counts) - least(counts) <= FLOW;

/** Requests that were answered before a 429, and how many the window had quota for. */
export interface AnsweredBefore429 {
  readonly answered: number;
  readonly expected: number;
}

/**
 * Counted since the window last began anew, because what came before belongs to
 * another window: all of the limit, or what a refill in one piece brought.
 */
export function answeredBefore429(series: Series, { before }: First429, quota: Quota): AnsweredBefore429 {
  const turn = transitionsBefore429(series, quota.limit).findLast((change) => isJump(change, quota));
  if (turn === undefined) return { answered: before.length, expected: quota.limit };
  const since = before.filter((exchange) => exchange.sent.mono >= turn.from.exchange.received.mono);
  return {
    answered: since.length,
    expected: Math.min(quota.limit, turn.to.remaining + turn.requests),
  };
}

/**
 * The reading right before a step, where the quota that it shows covers every
 * request of the step: none of them should be rate-limited by the minute.
 * Requests sent at the same time are covered only if that many remained.
 */
export function readingThatCovers(
  series: Series,
  step: SeriesStep,
  { perMinute }: Limits,
): Reading | undefined {
  const before = series[series.indexOf(step) - 1]?.reading;
  const covered = before?.limit === perMinute && before.remaining >= step.exchanges.length;
  return covered ? before : undefined;
}

/** A pause before a 429 that is longer than this share of a window, and than so many milliseconds, leaves another client time to exhaust a quota. */
const PAUSE = { share: 1 / 30, leastMs: 500 } as const;

/**
 * Whether the first 429 of a series was sent so long after the last
 * response that another client of the key had time to use the remaining quota:
 * a response was lost and waited for, or the run rested.
 */
export function followsPause({ exchange, before }: First429, { windowMs }: Quota): boolean {
  const answered = before.filter((one) => answerOf(one) !== undefined);
  const lastAnswered = greatest(answered.map(({ received }) => received.mono));
  return exchange.sent.mono - lastAnswered > Math.max(PAUSE.leastMs, PAUSE.share * windowMs);
}
