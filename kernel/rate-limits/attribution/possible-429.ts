import type { Limits } from '../../../spec/plans.ts';
import type { Exchange } from '../../exchanges/exchange.ts';

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
  return (
    byWindow(spans, limited, limits) ||
    byCounter(spans, limited, limits) ||
    byBucket(spans, limited, limits, holds)
  );
}

/** A request without a response may have been decided at any time up to the 429. */
const decidedBy = ({ sent, received, outcome }: Exchange, latest: number): DecisionSpan => ({
  from: sent.mono,
  to: outcome.kind === 'answer' ? Math.min(received.mono, latest) : latest,
});

function byWindow(spans: readonly DecisionSpan[], limited: DecisionSpan, limits: Limits): boolean {
  const windowMs = limits.minuteSeconds * 1000;
  const since = limited.from - windowMs - slackMs(windowMs);
  return spans.length - firstAfter(spans, since) >= limits.perMinute;
}

/** The edge between two windows may lie anywhere: it weighs the most just after a request, or when one is about to leave the window before. */
function byCounter(spans: readonly DecisionSpan[], limited: DecisionSpan, limits: Limits): boolean {
  const windowMs = limits.minuteSeconds * 1000;
  const reachMs = windowMs + slackMs(windowMs);
  const edges = spans
    .flatMap(({ to }) => [to, to + reachMs - 1])
    .filter((edge) => edge >= limited.from - windowMs && edge < limited.to);
  return [limited.to, ...edges].some((edge) => {
    const present = firstAfter(spans, edge);
    const former = firstAfter(spans, edge - reachMs);
    const share = 1 - Math.min(1, Math.max(0, (limited.from - edge) / windowMs));
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
function firstAfter(spans: readonly DecisionSpan[], moment: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.to ?? 0) > moment) high = middle;
    else low = middle + 1;
  }
  return low;
}
