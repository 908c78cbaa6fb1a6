import type { Exchange } from '../../../exchanges/exchange.ts';
import { exchangeName } from '../../../exchanges/exchange-text.ts';
import { answerOf, statusOf } from '../../../exchanges/headers.ts';
import { readRateHeaders } from '../../../exchanges/rate-headers.ts';
import type { Limits } from '../../../spec/plans.ts';
import { quoted } from '../../../words/text.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Problem } from '../../evidence/judgement.ts';
import { unclear, violation } from '../../evidence/judgement.ts';
import { capitalized } from '../../model/finding-text.ts';
import { singleValue } from './presence.ts';

const WHOLE_NUMBER = /^[0-9]+$/;

/** What is wrong with the Limit of a response (RATE-5). */
export function limitProblem(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const text = singleValue(exchange, 'X-RateLimit-Limit');
  if (text === undefined) return withoutHeader(exchange, 'X-RateLimit-Limit');
  const received = `${quoted(text)} in ${exchangeName(exchange)}`;
  if (!WHOLE_NUMBER.test(text)) return violation({ expected: 'a whole number as Limit', received });
  const limits = planOf(evidence, exchange);
  if (limits === undefined || statusOf(exchange) === 401) return undefined;
  if (Number(text) === limits.perMinute || Number(text) === limits.perDay) return undefined;
  return violation({
    expected: `the Limit of the plan, ${limits.perMinute} per minute or ${limits.perDay} per day`,
    received,
  });
}

/** A response whose header is absent or repeated shows nothing about its value. */
export const withoutHeader = (exchange: Exchange, header: string): Problem =>
  unclear(`${capitalized(exchangeName(exchange))} does not have exactly one ${header}.`);

/** The numbers of the plan that this caller is known to have. */
function planOf({ run }: Evidence, { caller }: Exchange): Limits | undefined {
  if (caller === 'key') return run.limits;
  return caller.startsWith('plan:') ? run.furtherPlans[caller.slice('plan:'.length)] : undefined;
}

/** What is wrong with the Remaining of a response (RATE-6). */
export function remainingProblem(exchange: Exchange): Problem | undefined {
  const text = singleValue(exchange, 'X-RateLimit-Remaining');
  if (text === undefined) return withoutHeader(exchange, 'X-RateLimit-Remaining');
  const received = `${quoted(text)} in ${exchangeName(exchange)}`;
  if (!WHOLE_NUMBER.test(text))
    return violation({ expected: 'a whole number from 0 as Remaining', received });
  const { limit } = readRateHeaders(answerOf(exchange)?.headers ?? []);
  if (limit === undefined || Number(text) <= limit) return undefined;
  return violation({ expected: `Remaining up to the Limit ${limit}`, received });
}
