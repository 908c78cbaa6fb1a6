import { countOf } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { exchangeName, isRateLimited } from '../../../../kernel/exchanges/outcome-kinds.ts';
import { isUndated, secondsToReset } from '../../../../kernel/exchanges/rate-headers.ts';
import type { Problem } from '../../../../kernel/findings/judgement.ts';
import { warn } from '../../../../kernel/findings/judgement.ts';
import { readingOf } from '../../../../kernel/rate-limits/series.ts';
import { clockSkew } from '../../evidence/circumstances.ts';
import type { Evidence } from '../../evidence/evidence.ts';

/** How far the clocks of two machines may differ, in seconds, before one of them is surely wrong: a Reset of another time zone is further away. */
const CLOCKS_DIFFER_SECONDS = 300;

/** A Reset far outside its window by our clock, in a response without a Date (RATE-9): a doubt, for our clock may be wrong. */
export function undatedProblem(
  exchange: Exchange,
  reset: number,
  longestSeconds: number,
): Problem | undefined {
  const past = exchange.sent.wall / 1000 - reset;
  const ahead = reset - exchange.received.wall / 1000;
  if (past <= CLOCKS_DIFFER_SECONDS && ahead <= longestSeconds + CLOCKS_DIFFER_SECONDS) return undefined;
  const distance =
    past > 0 ? `${secondsOf(past)} before the request` : `${secondsOf(ahead)} after the response`;
  return warn({
    expected: `a Reset within the window that Limit describes, at most ${secondsOf(longestSeconds)} ahead`,
    received: `a Reset ${distance} in ${exchangeName(exchange)}, by the clock of the machine that ran the test`,
    reasoning:
      'The response has no Date. The two clocks may differ, and 5 minutes are allowed for that. One of them is wrong, or Reset is.',
  });
}

/** A Date that is this far from the clock of this machine, in seconds, may be wrong: of a gateway, or of a local time. */
const LEAST_OFFSET_SECONDS = 3;

/** Two clocks agree, and the third is that of Date. A Unix timestamp is the same everywhere; a Date in a local time is not. */
export function dateIsOff(
  exchange: Exchange,
  { reset, date }: { readonly reset: number; readonly date: number },
  longestSeconds: number,
): boolean {
  const [sent, received] = [exchange.sent.wall / 1000, exchange.received.wall / 1000];
  const isInside = reset >= sent - 1 && reset <= received + longestSeconds;
  return isInside && isFarFromOurs(date, exchange);
}

/** Whether a Date is so far from the clock of this machine that a gateway may have written it, and not the service. */
export const isFarFromOurs = (date: number, { received }: Exchange): boolean =>
  Math.abs(date - received.wall / 1000) >= LEAST_OFFSET_SECONDS;

const secondsOf = (seconds: number): string => countOf(Math.round(seconds), 'second');

/** What a pass says about Reset: how it was compared with the time. */
export const resetsWithin = (exchanges: readonly Exchange[]): string => {
  const sentence = 'Every Reset is a Unix timestamp inside the window that it describes';
  return exchanges.some(isUndated)
    ? `${sentence}; where a response has no Date, by the clock of the machine that ran the test, with 5 minutes allowed for other clocks`
    : sentence;
};

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
  return warn({
    expected: 'one Reset for one limit',
    received: `a Reset that is ${Math.round(one.earlier)} s earlier in ${exchangeName(one.to)} than in ${exchangeName(one.from)} just before`,
    reasoning: `It went back and forth ${countOf(returns.length, 'time')}, as where instances of a service begin their windows at different times. At most one of the two is the time at which the limit resets.`,
  });
}

/** Relative to Date. Windows, logs and buckets only ever move it on: by a request, a piece, or a new window. */
function returnsOfReset(evidence: Evidence): readonly Return[] {
  const { minuteSeconds, perMinute } = evidence.limits;
  const least = ROUNDING_SECONDS + clockSkew(evidence) + (REQUESTS_GIVEN_BACK * minuteSeconds) / perMinute;
  const found: Return[] = [];
  let before: { readonly exchange: Exchange; readonly end: number; readonly remaining: number } | undefined;
  for (const exchange of evidence.by('key')) {
    const ahead = secondsToReset(exchange);
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
