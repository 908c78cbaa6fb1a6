import type { Exchange } from '../exchanges/exchange.ts';
import type { Limits } from '../spec/plans.ts';

/** When the target can have decided over a request, milliseconds on our clock. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** When the target can have decided over this request. */
export const spanOf = ({ sent, received }: Exchange): Span => ({ from: sent.mono, to: received.mono });

/** A limiter may count in whole seconds, but not where its window is of that size: milliseconds of a window. */
const slackMs = (windowMs: number): number => Math.min(1000, windowMs / 20);

/**
 * Whether any lawful limiter of the plan could refuse a request in this span
 * for these requests, each of them counted: a window or a log by what lies in
 * the last window, a sliding counter by the two windows at whose edge it weighs
 * the most, a bucket by what was taken faster than it fills. Time is only ever
 * taken to the target's advantage.
 * @param before what may count, from a moment at which nothing else did.
 * @param holds how much the smallest bucket holds; the limit unless said otherwise. One that holds a single
 * request is the strictest of all limiters that give back at the plan's rate in smaller portions.
 */
export function couldBeRateLimited(
  limited: Span,
  before: readonly Exchange[],
  limits: Limits,
  holds = limits.perMinute,
): boolean {
  const spans = before
    .filter(({ sent }) => sent.mono <= limited.to)
    .map((one) => decided(one, limited.to))
    .sort((a, b) => a.to - b.to);
  return (
    byWindow(spans, limited, limits) ||
    byCounter(spans, limited, limits) ||
    byBucket(spans, limited, limits, holds)
  );
}

/** What was not answered may have been decided at any time up to the refusal. */
const decided = ({ sent, received, outcome }: Exchange, latest: number): Span => ({
  from: sent.mono,
  to: outcome.kind === 'answer' ? Math.min(received.mono, latest) : latest,
});

function byWindow(spans: readonly Span[], limited: Span, limits: Limits): boolean {
  const windowMs = limits.minuteSeconds * 1000;
  const since = limited.from - windowMs - slackMs(windowMs);
  return spans.length - firstAfter(spans, since) >= limits.perMinute;
}

/** The edge may lie where nobody sent: it weighs the most just after a request, or when one is about to leave the window before. */
function byCounter(spans: readonly Span[], limited: Span, limits: Limits): boolean {
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

function byBucket(spans: readonly Span[], limited: Span, limits: Limits, holds: number): boolean {
  const perMs = limits.perMinute / (limits.minuteSeconds * 1000);
  return spans.some(({ to }, i) => spans.length - i > holds - 1 + perMs * Math.max(0, limited.from - to));
}

/** The index of the first span that ends after this moment. @param spans by their ends, ascending. */
function firstAfter(spans: readonly Span[], moment: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.to ?? 0) > moment) high = middle;
    else low = middle + 1;
  }
  return low;
}
