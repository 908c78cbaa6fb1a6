import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { exchangeName } from '../../../../kernel/exchanges/exchange-text.ts';
import { accepted } from '../../../../kernel/exchanges/outcome-kinds.ts';
import { rateHeadersOf } from '../../../../kernel/exchanges/rate-headers.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { warn } from '../../../../kernel/findings/judgement.ts';
import type { Quota } from '../../../../kernel/rate-limits/quota.ts';
import { minuteQuota, mostRefill } from '../../../../kernel/rate-limits/quota.ts';
import type { Transition } from '../../../../kernel/rate-limits/series/transitions.ts';
import { transitionsBefore429 } from '../../../../kernel/rate-limits/series/transitions.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { uses } from '../../evidence/uses.ts';

/**
 * A presentation of the key that is accepted but counted separately: its
 * Remaining is higher than that of the same window just before. The
 * specification leaves open whether it is accepted, hence a warning.
 */
export function countedElsewhere(evidence: Evidence): Judgement | undefined {
  const quota = minuteQuota(evidence.run.limits);
  const changes = evidence.fact(uses).flatMap(({ series }) => transitionsBefore429(series, quota.limit));
  for (const change of changes) {
    const separate = change.through.find((exchange) => isCountedSeparately(exchange, change, quota));
    if (separate === undefined) continue;
    const { from, to } = change;
    const judgement = warn(
      {
        expected: 'one count for every presentation of the key',
        received: `Remaining ${rateHeadersOf(separate).remaining} in ${exchangeName(separate)} ("${separate.step}"), between ${from.remaining} and ${to.remaining} for the key`,
        reasoning:
          'This presentation of the key is accepted and counted separately. Let authentication and the limiter read the header with the same code.',
      },
      [from.exchange, separate, to.exchange],
    );
    return { ...judgement, shows: [from.exchange, separate] };
  }
  return undefined;
}

/** Whether Remaining rose within one window, more than a limiter gives back. */
function isCountedSeparately(exchange: Exchange, { from, to, atMostMs }: Transition, quota: Quota): boolean {
  if (exchange.caller !== 'unspecified' || !accepted(exchange)) return false;
  const { limit, remaining } = rateHeadersOf(exchange);
  const [before, after] = [rateHeadersOf(from.exchange).reset, rateHeadersOf(to.exchange).reset];
  const sameWindow = before !== undefined && before === after && to.remaining < from.remaining;
  return (
    sameWindow &&
    limit === quota.limit &&
    remaining !== undefined &&
    remaining <= limit &&
    remaining > from.remaining + mostRefill(quota, atMostMs)
  );
}
