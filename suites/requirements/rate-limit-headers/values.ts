import type { Exchange } from '../../../exchanges/exchange.ts';
import { exchangeName } from '../../../exchanges/exchange-text.ts';
import { answerOf, statusOf } from '../../../exchanges/headers.ts';
import { readRateHeaders } from '../../../exchanges/rate-headers.ts';
import type { Limits } from '../../../spec/plans.ts';
import { quoted } from '../../../words/text.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Problem } from '../../evidence/judgement.ts';
import { unclear, violation } from '../../evidence/judgement.ts';
import { single } from './presence.ts';

const WHOLE = /^[0-9]+$/;

export function limitProblem(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const text = single(exchange, 'X-RateLimit-Limit');
  if (text === undefined) return unclear(`${exchangeName(exchange)} has no one X-RateLimit-Limit.`);
  if (!WHOLE.test(text))
    return violation(`Expected a whole number as Limit, but ${exchangeName(exchange)} has ${quoted(text)}.`);
  const limits = planOf(evidence, exchange);
  if (limits === undefined || statusOf(exchange) === 401) return undefined;
  if (Number(text) === limits.perMinute || Number(text) === limits.perDay) return undefined;
  return violation(
    `Expected the Limit of the plan, ${limits.perMinute} for a minute or ${limits.perDay} for a day, but ${exchangeName(exchange)} has ${quoted(text)}.`,
  );
}

/** The numbers of the plan that this caller is known to have. */
function planOf({ run }: Evidence, { caller }: Exchange): Limits | undefined {
  if (caller === 'key') return run.limits;
  return caller.startsWith('plan:') ? run.furtherPlans[caller.slice('plan:'.length)] : undefined;
}

export function remainingProblem(exchange: Exchange): Problem | undefined {
  const text = single(exchange, 'X-RateLimit-Remaining');
  if (text === undefined) return unclear(`${exchangeName(exchange)} has no one X-RateLimit-Remaining.`);
  if (!WHOLE.test(text)) {
    return violation(
      `Expected a whole number from 0 as Remaining, but ${exchangeName(exchange)} has ${quoted(text)}.`,
    );
  }
  const { limit } = readRateHeaders(answerOf(exchange)?.headers ?? []);
  if (limit === undefined || Number(text) <= limit) return undefined;
  return violation(
    `Expected Remaining up to the Limit ${limit}, but ${exchangeName(exchange)} has ${quoted(text)}.`,
  );
}
