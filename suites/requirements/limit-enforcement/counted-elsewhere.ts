import type { Exchange } from '../../../exchanges/exchange.ts';
import { exchangeName } from '../../../exchanges/exchange-text.ts';
import { answerOf } from '../../../exchanges/headers.ts';
import { accepted } from '../../../exchanges/outcome-kinds.ts';
import { readRateHeaders } from '../../../exchanges/rate-headers.ts';
import type { Quota } from '../../../rate-limits/quota.ts';
import { minuteQuota, mostRefill } from '../../../rate-limits/quota.ts';
import type { Transition } from '../../../rate-limits/series/transitions.ts';
import { transitionsBefore429 } from '../../../rate-limits/series/transitions.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Judgement } from '../../evidence/judgement.ts';
import { warn } from '../../evidence/judgement.ts';
import { uses } from '../../evidence/uses.ts';

/**
 * An odd presentation of the key that is accepted as the key's and counted as
 * somebody else's: more is left of it than of the same window just before. The
 * specification leaves open whether it is accepted, hence a warning.
 */
export function countedElsewhere(evidence: Evidence): Judgement | undefined {
  const quota = minuteQuota(evidence.run.limits);
  for (const change of evidence
    .fact(uses)
    .flatMap(({ series }) => transitionsBefore429(series, quota.limit))) {
    const odd = change.through.find((exchange) => isOfAnother(exchange, change, quota));
    if (odd === undefined) continue;
    const { from, to } = change;
    return warn(
      `Expected the limit to follow the key, but ${exchangeName(odd)} is accepted with the key as "${odd.step}" and counted elsewhere: ${rateOf(odd).remaining} are left there, between ${from.remaining} and ${to.remaining} of the key’s own. Let authentication and limiter read the header by the same code.`,
      [from.exchange, odd, to.exchange],
    );
  }
  return undefined;
}

const rateOf = (exchange: Exchange) => readRateHeaders(answerOf(exchange)?.headers ?? []);

/** Whether the window did not turn meanwhile, so that what is left cannot have risen, and yet it did. */
function isOfAnother(exchange: Exchange, { from, to, atMostMs }: Transition, quota: Quota): boolean {
  if (exchange.caller !== 'unspecified' || !accepted(exchange)) return false;
  const { limit, remaining } = rateOf(exchange);
  const [before, after] = [rateOf(from.exchange).reset, rateOf(to.exchange).reset];
  const sameWindow = before !== undefined && before === after && to.remaining < from.remaining;
  return (
    sameWindow &&
    limit === quota.limit &&
    remaining !== undefined &&
    remaining <= limit &&
    remaining > from.remaining + mostRefill(quota, atMostMs)
  );
}
