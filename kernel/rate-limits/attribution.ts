import type { Limits } from '../../spec/plans.ts';
import { firstFrom, greatest, least } from '../exchanges/collections.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { answerOf } from '../exchanges/headers.ts';
import { isRateLimited } from '../exchanges/outcome-kinds.ts';
import { showsUntouched } from './bounds/windows.ts';
import type { Quota } from './quota.ts';
import type { Reading, Series, SeriesStep } from './series.ts';
import { isJump, readingOf, transitionsBefore429 } from './series.ts';
import type { WaitScale } from './waits.ts';
import { waitScale, waitSeconds429 } from './waits.ts';

/** When the target can have decided on a request, milliseconds on our clock. */
export interface DecisionSpan {
  readonly from: number;
  readonly to: number;
}

/** When the target can have decided on this request: between its sending and the receipt of its response. */
export const decisionSpanOf = ({ sent, received }: Exchange): DecisionSpan => ({
  from: sent.mono,
  to: received.mono,
});

/** A limiter may count in whole seconds, but not where its window is of that size: milliseconds of a window. */
const slackMs = (windowMs: number): number => Math.min(1000, windowMs / 20);

/**
 * Whether any conforming limiter of the plan could rate-limit a request in this span for these requests, each of them
 * counted. Derivation: BOUNDS.md, "A 429 that no conforming limiter sends".
 * @param before what may count, from a moment at which nothing else did.
 * @param holds how much the smallest bucket holds; by default the limit. One that holds a single request is the
 * strictest of all limiters that give back at the plan's rate in smaller portions.
 */
export function couldBeRateLimited(
  limited: DecisionSpan,
  before: readonly Exchange[],
  limits: Limits,
  holds = limits.perMinute,
): boolean {
  const spans = before
    .filter(({ sent }) => sent.mono <= limited.to)
    .map((one) => decidedBy(one, limited.to))
    .sort((a, b) => a.to - b.to);
  return byWindow(spans, limited, limits) || byBucket(spans, limited, limits, holds);
}

/** A request without a response may have been decided at any time up to the 429. */
const decidedBy = ({ sent, received, outcome }: Exchange, latest: number): DecisionSpan => ({
  from: sent.mono,
  to: outcome.kind === 'answer' ? Math.min(received.mono, latest) : latest,
});

/** The edge between two windows may lie anywhere: it weighs the most at the 429, just after a request, or when one is about to leave the window before. */
function byWindow(spans: readonly DecisionSpan[], limited: DecisionSpan, limits: Limits): boolean {
  const windowMs = limits.minuteSeconds * 1000;
  const reachMs = windowMs + slackMs(windowMs);
  const edges = spans
    .flatMap(({ to }) => [to, to + reachMs - 1])
    .filter((edge) => edge >= limited.from - windowMs && edge < limited.from);
  return [limited.from, ...edges].some((edge) => {
    const present = firstAfter(spans, edge);
    const former = firstAfter(spans, edge - reachMs);
    const share = 1 - (limited.from - edge) / windowMs;
    return (present - former) * share + (spans.length - present) > limits.perMinute - 1;
  });
}

function byBucket(
  spans: readonly DecisionSpan[],
  limited: DecisionSpan,
  limits: Limits,
  holds: number,
): boolean {
  const perMs = limits.perMinute / (limits.minuteSeconds * 1000);
  return spans.some(({ to }, i) => spans.length - i > holds - 1 + perMs * Math.max(0, limited.from - to));
}

/** The index of the first span that ends after this moment. @param spans by their ends, ascending. */
const firstAfter = (spans: readonly DecisionSpan[], moment: number): number =>
  firstFrom(spans.length, (at) => (spans[at]?.to ?? 0) > moment);

/** Why the cause of a 429 stays open: its announced wait, or what else than the target may have caused it. */
export type OpenCause =
  | Exclude<WaitScale, 'window'>
  | 'use before the run'
  | 'a wait that is not over'
  | 'own requests'
  | 'another client';

/** Attributes to the target only a 429 that no conforming limiter could have caused. @param counting all that can count against the key. */
export function causeOf429(
  { exchanges, series }: { readonly exchanges: readonly Exchange[]; readonly series: readonly Series[] },
  limited: Exchange,
  limits: Limits,
  counting: readonly Exchange[] | undefined = knownSince(exchanges, limited, limits),
): OpenCause | 'target' {
  const scale = waitScale(limited, limits);
  if (scale === 'longer' || scale === 'unknown') return scale;
  if (counting === undefined) return scale === 'next request' ? scale : 'use before the run';
  const others = counting.filter((one) => one !== limited);
  // A client that leaves the plan's own interval between its requests is rate-limited by no bucket, however small.
  if (scale === 'next request' && couldBeRateLimited(decisionSpanOf(limited), others, limits, 1))
    return scale;
  const { span, before } = decisionOf(series, limited, others);
  if (counting.some((earlier) => mustStillWait(earlier, limited))) return 'a wait that is not over';
  if (couldBeRateLimited(span, before, limits)) return 'own requests';
  return usedUnseen(exchanges, limited, limits) ? 'another client' : 'target';
}

/** A run that sends nothing for so much of a window knows little of what others sent meanwhile. */
const LONG_PAUSE = 1 / 10;

/** Another client of the key hardly sends faster than this many times what the plan gives. */
const FASTEST = 2;

/** Whether another client may have used, while this run sent nothing, the quota that the response before had shown. */
function usedUnseen(exchanges: readonly Exchange[], limited: Exchange, limits: Limits): boolean {
  const last = exchanges
    .filter(({ sent }) => sent.mono < limited.received.mono)
    .flatMap((one) => readingOf(one) ?? [])
    .findLast(({ limit, remaining }) => limit === limits.perMinute && remaining > 0);
  if (last === undefined) return false;
  const windows = (limited.received.mono - last.exchange.sent.mono) / (limits.minuteSeconds * 1000);
  return windows > LONG_PAUSE && last.remaining <= FASTEST * limits.perMinute * windows;
}

/** Of 429 responses that were under way together one was the first, and only requests that were not rate-limited came before it. */
function decisionOf(
  series: readonly Series[],
  limited: Exchange,
  others: readonly Exchange[],
): { readonly span: DecisionSpan; readonly before: readonly Exchange[] } {
  const together = series
    .flat()
    .find(({ exchanges }) => exchanges.includes(limited))
    ?.exchanges.filter(isRateLimited) ?? [limited];
  const from = least(together.map(({ sent }) => sent.mono));
  const earlier = others.some((one) => isRateLimited(one) && !together.includes(one) && one.sent.mono < from);
  if (earlier) return { span: decisionSpanOf(limited), before: others };
  const to = greatest(together.map(({ received }) => received.mono));
  return { span: { from, to }, before: others.filter((one) => !isRateLimited(one)) };
}

/** Whether an earlier 429 asked for a wait that is not over; with a second for what was rounded down. */
function mustStillWait(earlier: Exchange, limited: Exchange): boolean {
  if (!isRateLimited(earlier) || earlier.received.mono > limited.sent.mono) return false;
  const seconds = waitSeconds429(earlier);
  return seconds === undefined || limited.sent.mono < earlier.received.mono + (seconds + 1) * 1000;
}

/** Everything that counts against the key at a 429; undefined where use before the run may count, too. */
function knownSince(
  exchanges: readonly Exchange[],
  limited: Exchange,
  limits: Limits,
): readonly Exchange[] | undefined {
  const memoryMs = 2 * limits.minuteSeconds * 1000;
  let start: number | undefined;
  let busyUntil = Number.NEGATIVE_INFINITY;
  for (const [i, exchange] of exchanges.entries()) {
    if (exchange.sent.mono >= limited.sent.mono) break;
    const next = exchanges[i + 1];
    const alone =
      busyUntil <= exchange.sent.mono && (next === undefined || exchange.received.mono <= next.sent.mono);
    const rested = i > 0 && exchange.sent.mono - busyUntil >= memoryMs;
    if (rested || (alone && showsUntouched(readingOf(exchange), limits.perMinute))) start = i;
    busyUntil = Math.max(busyUntil, exchange.received.mono);
  }
  if (start !== undefined) return exchanges.slice(start);
  const [first] = exchanges;
  const isOld = first !== undefined && limited.sent.mono - first.sent.mono >= memoryMs;
  return isOld ? exchanges : undefined;
}

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

/** Counted since the window last began anew: what came before belongs to another window. */
export function answeredBefore429(series: Series, { before }: First429, quota: Quota): AnsweredBefore429 {
  const turn = transitionsBefore429(series, quota.limit).findLast((change) => isJump(change, quota));
  if (turn === undefined) return { answered: before.length, expected: quota.limit };
  const since = before.filter((exchange) => exchange.sent.mono >= turn.from.exchange.received.mono);
  return {
    answered: since.length,
    expected: Math.min(quota.limit, turn.to.remaining + turn.requests),
  };
}

/** The reading before a step that leaves quota for all of its requests; sent at the same time, only if as many remained. */
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

/** Whether another client had time to use the remaining quota: a response was lost and waited for, or the run rested. */
export function followsPause({ exchange, before }: First429, { windowMs }: Quota): boolean {
  const answered = before.filter((one) => answerOf(one) !== undefined);
  const lastAnswered = greatest(answered.map(({ received }) => received.mono));
  return exchange.sent.mono - lastAnswered > Math.max(PAUSE.leastMs, PAUSE.share * windowMs);
}
