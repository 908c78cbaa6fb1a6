import { secondsText } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { exchangeName } from '../../../../kernel/exchanges/exchange-text.ts';
import { answerOf } from '../../../../kernel/exchanges/headers.ts';
import { dateHeaderSeconds } from '../../../../kernel/exchanges/http-date.ts';
import type { Problem } from '../../../../kernel/findings/judgement.ts';
import { doubt, violation } from '../../../../kernel/findings/judgement.ts';
import type { FullBeforeReset } from '../../../../kernel/rate-limits/bounds/full-before-reset.ts';
import { fullBeforeReset } from '../../../../kernel/rate-limits/bounds/full-before-reset.ts';
import { minuteQuota } from '../../../../kernel/rate-limits/quota.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { miscounted, uses } from '../../evidence/uses.ts';
import { isFarFromOurs } from './reset-by-our-clock.ts';

/** Every stretch of use whose quota was full again before the Reset that its first response announced. */
function earlyOnes(evidence: Evidence): readonly FullBeforeReset[] {
  // Where Remaining is not one count, it does not show when the limit reset.
  if (evidence.fact(miscounted) !== undefined) return [];
  const quota = minuteQuota(evidence.run.limits);
  return evidence.fact(uses).flatMap(({ series }) => fullBeforeReset(series, quota) ?? []);
}

/**
 * A Reset before which the limit had reset (RATE-9). It fails where more than the limit was accepted before that
 * Reset: either the count was lost, or Reset is not the end of the window. Otherwise it harms no client.
 */
export function earlyProblem(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const found = evidence.fact(earlyOnes).find(({ first }) => first === exchange);
  if (found === undefined) return undefined;
  const { change, earlyMs, accepted } = found;
  const { perMinute } = evidence.run.limits;
  const beyond = accepted.length > perMinute;
  const fact = {
    expected: 'a Reset that names the moment at which the limit resets',
    received: `Remaining ${change.to.remaining} and a later Reset in ${exchangeName(change.to.exchange)}, more than ${secondsText(earlyMs)} before the Reset in ${exchangeName(exchange)}`,
    reasoning: beyond
      ? `${accepted.length} requests were accepted before that Reset, and the limit is ${perMinute}: the count was lost, or the window ends before Reset.`
      : 'The count was lost, or the window ends before Reset. No more than the limit was accepted before it.',
  };
  const date = dateHeaderSeconds(answerOf(exchange));
  return beyond && (date === undefined || !isFarFromOurs(date, exchange)) ? violation(fact) : doubt(fact);
}
