import { quoted } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { exchangeName } from '../../../../kernel/exchanges/exchange-text.ts';
import { statusOf } from '../../../../kernel/exchanges/headers.ts';
import { rateHeadersOf } from '../../../../kernel/exchanges/rate-headers.ts';
import type { Problem } from '../../../../kernel/findings/judgement.ts';
import { doubt, unclear, violation } from '../../../../kernel/findings/judgement.ts';
import type { Reading } from '../../../../kernel/rate-limits/series/reading.ts';
import { readingOf } from '../../../../kernel/rate-limits/series/reading.ts';
import type { Limits } from '../../../../spec/plans.ts';
import type { Evidence } from '../../evidence/evidence.ts';
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
  if (Number(text) === limits.perDay) return notOfDay(evidence, exchange);
  if (Number(text) === limits.perMinute) return undefined;
  return violation({
    expected: `the Limit of the plan "${limits.name}", ${limits.perMinute} per minute or ${limits.perDay} per day`,
    received,
  });
}

/**
 * The Limit of the day beside a Remaining that is not the day's: it rises by more than flows back into a day, to no
 * more than a minute has. A log of the day gives that back where another client used it a day before, so it is a doubt.
 */
function notOfDay(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const found = evidence.fact(riseWithinDay);
  if (found === undefined || found.after !== exchange) return undefined;
  const { before, rise } = found;
  return doubt({
    expected: 'the limit of the window that Remaining describes as Limit',
    received: `the limit of the day in ${exchangeName(exchange)}, with a Remaining that is ${rise} above that of ${exchangeName(before)}`,
    reasoning: 'Remaining follows the minute. In a new day it would be higher than a minute has.',
  });
}

/** Two responses to the key, and by how much Remaining rose between them. */
interface Rise {
  readonly before: Exchange;
  readonly after: Exchange;
  readonly rise: number;
}

/** Within a second or two, one request of the day flows back, and its count is rounded. */
const ROUNDING = 2;

function riseWithinDay(evidence: Evidence): Rise | undefined {
  const { perMinute, perDay, daySeconds } = evidence.run.limits;
  let lowest: Reading | undefined;
  for (const after of evidence.by('key')) {
    const reading = readingOf(after);
    if (reading?.limit !== perDay || perDay <= 2 * perMinute) continue;
    const before = lowest?.exchange;
    if (lowest === undefined || before === undefined || reading.remaining < lowest.remaining) {
      lowest = reading;
      continue;
    }
    const rise = reading.remaining - lowest.remaining;
    const seconds = (after.received.mono - before.sent.mono) / 1000;
    const inOrder = before.received.mono < after.sent.mono;
    if (inOrder && reading.remaining <= perMinute && rise > (seconds * perDay) / daySeconds + ROUNDING)
      return { before, after, rise };
  }
  return undefined;
}

/** A response whose header is absent or repeated shows nothing about its value. */
export const withoutHeader = (exchange: Exchange, header: string): Problem =>
  unclear(`${exchangeName(exchange)} does not have exactly one ${header}.`);

/** The plan that this caller is known to have, with its numbers. */
function planOf({ run }: Evidence, { caller }: Exchange): (Limits & { readonly name: string }) | undefined {
  if (caller === 'key') return { ...run.limits, name: run.target.plan };
  const [, name = ''] = /^plan:(.*)$/.exec(caller) ?? [];
  const limits = run.furtherPlans[name];
  return limits === undefined ? undefined : { ...limits, name };
}

/** What is wrong with the Remaining of a response (RATE-6). */
export function remainingProblem(exchange: Exchange): Problem | undefined {
  const text = singleValue(exchange, 'X-RateLimit-Remaining');
  if (text === undefined) return withoutHeader(exchange, 'X-RateLimit-Remaining');
  const received = `${quoted(text)} in ${exchangeName(exchange)}`;
  if (!WHOLE_NUMBER.test(text))
    return violation({ expected: 'a whole number from 0 as Remaining', received });
  const { limit } = rateHeadersOf(exchange);
  if (limit === undefined || Number(text) <= limit) return undefined;
  return violation({ expected: `Remaining up to the Limit ${limit}`, received });
}
