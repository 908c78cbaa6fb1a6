import { countOf } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { exchangeName } from '../../../../kernel/exchanges/exchange-text.ts';
import { answerOf } from '../../../../kernel/exchanges/headers.ts';
import { isRateLimited } from '../../../../kernel/exchanges/outcome-kinds.ts';
import { secondsToReset } from '../../../../kernel/exchanges/rate-headers.ts';
import type { Problem } from '../../../../kernel/findings/judgement.ts';
import { doubt } from '../../../../kernel/findings/judgement.ts';
import { readingOf } from '../../../../kernel/rate-limits/series/reading.ts';
import { clockSkew } from '../../evidence/clock-skew.ts';
import type { Evidence } from '../../evidence/evidence.ts';

/** One return of Reset may have a reason that is not seen; two of them have none. */
const LEAST_RETURNS = 2;

/** Date and Reset are each rounded, and a rejected creation that is given back moves a Reset by what two requests take. */
const ROUNDING_SECONDS = 3;
const REQUESTS_GIVEN_BACK = 2;

/** A response whose Reset is earlier than that of a response before it. */
interface Return {
  readonly from: Exchange;
  readonly to: Exchange;
  /** By how much it is earlier, in seconds. */
  readonly earlier: number;
}

/** What is wrong with a Reset that goes back and forth between two times (RATE-9): one of them is not when the limit resets. */
export function swingProblem(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const returns = evidence.fact(returnsOfReset);
  const one = returns.find(({ to }) => to === exchange);
  if (one === undefined || returns.length < LEAST_RETURNS) return undefined;
  return doubt({
    expected: 'one Reset for one limit',
    received: `a Reset that is ${Math.round(one.earlier)} s earlier in ${exchangeName(one.to)} than in ${exchangeName(one.from)} just before`,
    reasoning: `It went back and forth ${countOf(returns.length, 'time')}, as where instances of a service begin their windows at different times. At most one of the two is the time at which the limit resets.`,
  });
}

/**
 * Where Reset, relative to the Date of its response, goes back from one single request to the next. Windows, logs and
 * buckets only ever move it on: by a request, by a piece that comes back, or when a window begins anew.
 */
function returnsOfReset(evidence: Evidence): readonly Return[] {
  const { minuteSeconds, perMinute } = evidence.run.limits;
  const least = ROUNDING_SECONDS + clockSkew(evidence) + (REQUESTS_GIVEN_BACK * minuteSeconds) / perMinute;
  const found: Return[] = [];
  let before: { readonly exchange: Exchange; readonly end: number; readonly remaining: number } | undefined;
  for (const exchange of evidence.by('key')) {
    const ahead = secondsToReset(answerOf(exchange));
    if (ahead === undefined || isRateLimited(exchange)) continue;
    const reading = readingOf(exchange);
    if (reading?.limit !== perMinute) continue;
    if (before !== undefined && exchange.sent.mono < before.exchange.received.mono) continue;
    const end = exchange.received.mono / 1000 + ahead;
    // Where more is left than before, quota came back, and what comes back has a Reset of its own.
    if (before !== undefined && before.end - end > least && reading.remaining <= before.remaining)
      found.push({ from: before.exchange, to: exchange, earlier: before.end - end });
    before = { exchange, end, remaining: reading.remaining };
  }
  return found;
}
