import { least } from '../../exchanges/collections.ts';
import { isRateLimited } from '../../exchanges/outcome-kinds.ts';
import { explainDiscrepancy } from '../../rate-limits/explanation.ts';
import { minuteQuota } from '../../rate-limits/quota.ts';
import { readingOf } from '../../rate-limits/series/reading.ts';
import type { Series } from '../../rate-limits/series/series.ts';
import { transitionsBefore429 } from '../../rate-limits/series/transitions.ts';
import { showsUntouched } from '../../rate-limits/untouched.ts';
import type { Limits } from '../../spec/plans.ts';

/**
 * What shows that somebody else uses the key, in one sentence: Remaining that
 * falls by more than was sent and that no fault explains, or a limit that is
 * in use after two windows in which this run left it alone.
 */
export function disturbanceOf(series: readonly Series[], limits: Limits): string | undefined {
  const quota = minuteQuota(limits);
  const everywhere = series.flatMap((one) => transitionsBefore429(one, quota.limit));
  for (const [index, one] of series.entries()) {
    const first = one[0]?.exchanges[0];
    if (first === undefined) continue;
    const untouched = showsUntouched(readingOf(first), limits.perMinute);
    const reading = readingOf(first);
    if (index > 0 && !untouched && rested(series[index - 1], one, limits) && reading?.limit === quota.limit) {
      return `After two windows without a request of this run ${reading.remaining} of ${quota.limit} were left, not ${quota.limit - 1}: somebody else seems to use the key.`;
    }
    // A log that was in use before the run gives back in bulk.
    if (!untouched && index === 0) continue;
    const found = explainDiscrepancy(one, quota, { unauthenticated: [], everywhere, exclusive: false });
    if (found?.explanation.kind === 'fell beyond use') {
      const [from, to] = found.exchanges;
      return `Between request ${from?.n} and request ${to?.n} Remaining fell by more than was sent: somebody else seems to use the key.`;
    }
    const taken = untouched ? takenAtOnce(one, limits) : undefined;
    if (taken !== undefined) return taken;
  }
  return undefined;
}

/** Whether two windows lie between them, which even a sliding counter forgets. */
function rested(before: Series | undefined, after: Series, limits: Limits): boolean {
  const end = before?.at(-1)?.received;
  const start = after[0]?.sent;
  return end !== undefined && start !== undefined && start - end >= 2 * limits.minuteSeconds * 1000;
}

/**
 * The same among requests that were sent at once, whose answers have no order:
 * from a limit of which nothing was used, an answer shows more to be used than
 * was sent until it came. What came after a refusal is left out, since some
 * limiters count what they refuse.
 */
function takenAtOnce(series: Series, { perMinute }: Limits): string | undefined {
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
      return `Request ${exchange.n} was told that ${remaining} of ${perMinute} were left, where this run alone had used ${sent} at most: somebody else seems to use the key.`;
  }
  return undefined;
}
