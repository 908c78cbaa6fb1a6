import { least } from '../../kernel/exchanges/collections.ts';
import { isRateLimited } from '../../kernel/exchanges/outcome-kinds.ts';
import { explainDiscrepancy } from '../../kernel/rate-limits/explanation.ts';
import { minuteQuota } from '../../kernel/rate-limits/quota.ts';
import { readingOf } from '../../kernel/rate-limits/series/reading.ts';
import type { Series } from '../../kernel/rate-limits/series/series.ts';
import { showsUntouched, showsUse } from '../../kernel/rate-limits/untouched.ts';
import type { Limits } from '../../spec/plans.ts';

const PERHAPS = 'another client may be using this key.';

/**
 * What shows another client of the key, in one sentence: Remaining that falls
 * by more than was sent and that no fault explains, or a limit that is in use
 * after two windows in which this run sent nothing with the key.
 */
export function anotherClientShown(series: readonly Series[], limits: Limits): string | undefined {
  const quota = minuteQuota(limits);
  for (const [index, one] of series.entries()) {
    const first = one[0]?.exchanges[0];
    if (first === undefined) continue;
    const reading = readingOf(first);
    if (index > 0 && showsUse(reading, quota.limit) && restedBetween(series[index - 1], one, limits)) {
      return `After two windows without a request of this run Remaining was ${reading.remaining} of ${quota.limit}, not ${quota.limit - 1}: ${PERHAPS}`;
    }
    // A log that was in use before the run gives back in bulk.
    const untouched = showsUntouched(reading, quota.limit);
    if (!untouched && index === 0) continue;
    const found = explainDiscrepancy(one, quota, { others: [], everywhere: series, exclusive: false });
    if (found?.explanation.kind === 'fell beyond use') {
      const [from, to] = found.exchanges;
      return `Between request ${from?.n} and request ${to?.n} Remaining fell by more than was sent: ${PERHAPS}`;
    }
    const used = untouched ? usedInParallel(one, limits) : undefined;
    if (used !== undefined) return used;
  }
  return undefined;
}

/** Whether two windows lie between them, which even a sliding counter forgets. */
function restedBetween(before: Series | undefined, after: Series, limits: Limits): boolean {
  const end = before?.at(-1)?.received;
  const start = after[0]?.sent;
  return end !== undefined && start !== undefined && start - end >= 2 * limits.minuteSeconds * 1000;
}

/**
 * The same among requests that were sent at once, whose responses have no order:
 * from an untouched limit, a response shows more to be used than was sent until
 * it came. What came after a 429 is left out, since some limiters count it.
 */
function usedInParallel(series: Series, { perMinute }: Limits): string | undefined {
  const exchanges = series.flatMap((step) => step.exchanges);
  const limitedAt = least(exchanges.filter(isRateLimited).map(({ received }) => received.mono));
  const served = exchanges.filter((one) => !isRateLimited(one));
  const readings = served
    .filter(({ sent }) => sent.mono < limitedAt)
    .flatMap((one) => readingOf(one) ?? [])
    .filter(({ limit }) => limit === perMinute)
    .sort((a, b) => a.exchange.received.mono - b.exchange.received.mono);
  let sent = 0;
  for (const { exchange, remaining } of readings) {
    while ((served[sent]?.sent.mono ?? Number.POSITIVE_INFINITY) <= exchange.received.mono) sent += 1;
    if (perMinute - remaining > sent)
      return `Request ${exchange.n} showed Remaining ${remaining} of ${perMinute}, where this run alone had used ${sent} at most: ${PERHAPS}`;
  }
  return undefined;
}
