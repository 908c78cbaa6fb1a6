import { countOf, secondsText } from '../../../../kernel/basics/text.ts';
import { firstFrom } from '../../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { headersOf, headerValue, statusOf } from '../../../../kernel/exchanges/headers.ts';
import { accepted, exchangeName, isRateLimited } from '../../../../kernel/exchanges/outcome-kinds.ts';
import {
  dateHeaderSeconds,
  isUndated,
  literalWaitSeconds,
  rateHeadersOf,
  secondsToReset,
} from '../../../../kernel/exchanges/rate-headers.ts';
import type { Fact } from '../../../../kernel/findings/finding-text.ts';
import type { Problem } from '../../../../kernel/findings/judgement.ts';
import { fail, furtherReasoned, warn } from '../../../../kernel/findings/judgement.ts';
import { fullBeforeReset, mayBeFullLater } from '../../../../kernel/rate-limits/bounds/refill.ts';
import { showsRefilled, showsUntouched } from '../../../../kernel/rate-limits/bounds/windows.ts';
import { hasOneDate } from '../../../../kernel/rate-limits/clocks.ts';
import { longestDaySeconds } from '../../../../kernel/rate-limits/quota.ts';
import { readingOf } from '../../../../kernel/rate-limits/series.ts';
import { valueText, withoutHeader } from '../../evidence/answers.ts';
import { clockSkew } from '../../evidence/circumstances.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { miscounted, uses } from '../../evidence/uses.ts';
import { lastsLonger, WINDOW_SLACK } from '../limit-enforcement/window.ts';

/** A Unix timestamp in seconds lies between these from 2001 to 5138; milliseconds and seconds left do not. */
const FIRST_SECOND = 1e9;

const LAST_SECOND = 1e11;

/** How old a Date may be when it is sent, in seconds: it is truncated to a second, and many servers update it once a second. */
const DATE_AGE = 2;

/** What is wrong with the Reset of a response (RATE-9). */
export function resetProblem(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const text = headerValue(headersOf(exchange), 'X-RateLimit-Reset');
  if (text === undefined) return withoutHeader(exchange, 'X-RateLimit-Reset');
  if (!/^[0-9]+(\.[0-9]+)?$/.test(text) || Number(text) < FIRST_SECOND || Number(text) >= LAST_SECOND) {
    return fail({
      expected: 'a Unix timestamp in seconds as Reset',
      received: valueText(text, exchange),
    });
  }
  return (
    rangeProblem(evidence, exchange, Number(text)) ??
    swingProblem(evidence, exchange) ??
    earlyProblem(evidence, exchange) ??
    (text.includes('.')
      ? warn({ expected: 'whole seconds as Reset', received: valueText(text, exchange) })
      : undefined)
  );
}

const SEVERAL_CLOCKS =
  'The Date headers of this run do not follow one clock, so Date may be wrong instead of Reset.';

const WRONG_DATE =
  'By the clock of the machine that ran the test, Reset is inside its window, and Date is wrong, as where a gateway or a local time writes it. A client that compares the two waits too long, or not at all.';

const keepsTime = (evidence: Evidence): boolean => hasOneDate(evidence.exchanges, evidence.fact(clockSkew));

function rangeProblem(evidence: Evidence, exchange: Exchange, reset: number): Problem | undefined {
  const date = dateHeaderSeconds(exchange);
  if (date === undefined)
    // A 429 may move Reset to the end of a penalty of any length.
    return statusOf(exchange) === 429
      ? undefined
      : undatedProblem(exchange, reset, longestWindow(evidence, exchange));
  const skew = evidence.fact(clockSkew);
  const took = (exchange.received.mono - exchange.sent.mono) / 1000;
  const ahead = reset - date;
  const longest = longestWindow(evidence, exchange) + DATE_AGE + skew;
  if (statusOf(exchange) !== 429 && ahead >= -1 - took - skew && ahead <= longest) return undefined;
  const where = `in ${exchangeName(exchange)}`;
  // Two clocks agree, and the third is that of Date. A Unix timestamp is the same everywhere; a Date in a local time is not.
  const isDateOff =
    reset >= exchange.sent.wall / 1000 - 1 &&
    reset <= exchange.received.wall / 1000 + longest &&
    isFarFromOurs(date, exchange);
  const problem = (fact: Fact): Problem => {
    if (isDateOff) return warn({ ...fact, reasoning: WRONG_DATE });
    return evidence.fact(keepsTime) ? fail(fact) : warn(furtherReasoned(fact, SEVERAL_CLOCKS));
  };
  if (ahead < -1 - took - skew) {
    return problem({
      expected: 'a Reset that is not in the past',
      received: `a Reset ${-ahead} s before the Date of the same response ${where}`,
    });
  }
  if (statusOf(exchange) === 429)
    return ahead <= longest
      ? contradicted(evidence, exchange, ahead)
      : refuted(evidence, exchange, ahead, problem);
  const fact = {
    expected: `a Reset within the window that Limit describes, at most ${tenths(longest)} s ahead`,
    received: `a Reset ${tenths(ahead)} s after the Date of the same response ${where}`,
  };
  return ahead <= 2 * longest && evidence.fact(mayBeFullThen)
    ? warn({ ...fact, reasoning: PERHAPS_FULL_THEN })
    : problem(fact);
}

/** Whether Reset may be the moment at which a conforming limiter is full again, although it is more than a window ahead. */
function mayBeFullThen(evidence: Evidence): boolean {
  const series = evidence.fact(uses).map((use) => use.series);
  const slack = 1 + DATE_AGE + evidence.fact(clockSkew);
  return evidence.fact(lastsLonger) === undefined && mayBeFullLater(series, evidence.quota, slack);
}

const PERHAPS_FULL_THEN =
  'A sliding counter is full again at the end of its next window, and a bucket that refills in pieces up to two windows later. A client that waits until then waits too long for its next request.';

/** Rounded up, so that a value beyond the maximum never reads as one within it. */
const tenths = (value: number): number => Math.ceil(value * 10) / 10;

/** Whether a 429 of the key is about its minute: it shows that limit, and its wait is at most a window. */
function isOfMinute({ limits }: Evidence, limited: Exchange): boolean {
  const { perMinute, minuteSeconds } = limits;
  const wait = literalWaitSeconds(limited);
  const short = wait !== undefined && wait <= minuteSeconds + WINDOW_SLACK;
  return limited.caller === 'key' && readingOf(limited)?.limit === perMinute && short;
}

/** The first accepted request of the key after this 429 that was answered within this time, in seconds from the sending of the 429's request. */
const acceptedWithin = (
  evidence: Evidence,
  limited: Exchange,
  seconds: number,
  chosen: (exchange: Exchange) => boolean,
): Exchange | undefined => {
  const all = evidence.fact(keyedBySending);
  const end = limited.sent.mono + seconds * 1000;
  const first = firstFrom(all.length, (at) => (all[at]?.sent.mono ?? end) > limited.received.mono);
  const last = firstFrom(all.length, (at) => (all[at]?.sent.mono ?? end) >= end);
  return all.slice(first, last).find((one) => one.received.mono < end && accepted(one) && chosen(one));
};

const keyedBySending = (evidence: Evidence): readonly Exchange[] =>
  [...evidence.by('key')].sort((a, b) => a.sent.mono - b.sent.mono);

/** There was no penalty where a wait of at most a window ended with a full quota. One accepted request: no end of a window either. */
function refuted(
  evidence: Evidence,
  limited: Exchange,
  ahead: number,
  problem: (fact: Fact) => Problem,
): Problem | undefined {
  if (!isOfMinute(evidence, limited)) return undefined;
  const { perMinute } = evidence.limits;
  const early = ahead - evidence.fact(clockSkew) - forgottenBefore(evidence, limited);
  const full = acceptedWithin(evidence, limited, early, (one) => showsRefilled(readingOf(one), perMinute));
  if (full !== undefined)
    return problem({
      expected: 'a Reset that names the end of the window',
      received: resetText(limited, ahead),
      reasoning: `The full quota was available again in ${exchangeName(full)}, ${laterText(limited, full)} later.`,
    });
  const next = acceptedWithin(evidence, limited, early, () => true);
  return next === undefined
    ? undefined
    : contradictionOf(
        limited,
        ahead,
        `A request was accepted ${laterText(limited, next)} later, in ${exchangeName(next)}, so Reset is not the end of a penalty, and a window is shorter.`,
      );
}

/** In seconds: the more a sliding counter counted in the window of this Reset, the later it has forgotten them. */
function forgottenBefore(evidence: Evidence, limited: Exchange): number {
  const resetOf = (exchange: Exchange): number => rateHeadersOf(exchange).reset ?? Number.NaN;
  const counted = evidence
    .by('key')
    .filter((one) => one.n < limited.n && accepted(one) && Math.abs(resetOf(one) - resetOf(limited)) <= 1);
  return evidence.limits.minuteSeconds * Math.min(1, ROUNDED_REQUESTS / counted.length);
}

/** Remaining is one lower for the request that shows it, and rounded down. */
const ROUNDED_REQUESTS = 2;

/** A shorter Retry-After fits a bucket alone, and no limiter is full long before the moment that it names, but for a log. */
function contradicted(evidence: Evidence, limited: Exchange, ahead: number): Problem | undefined {
  if (!isOfMinute(evidence, limited)) return undefined;
  const { perMinute, minuteSeconds } = evidence.limits;
  const later = waitsBeyondReset(evidence, limited, ahead);
  if (later !== undefined) return later;
  const began = limited.sent.mono - minuteSeconds * 1000;
  const all = evidence.fact(keyedBySending);
  const first = all[firstFrom(all.length, (at) => (all[at]?.sent.mono ?? began) >= began)] ?? limited;
  const took = Math.max(0, limited.sent.mono - first.sent.mono) / 1000;
  const rounding = (2 * minuteSeconds) / perMinute;
  const early = ahead - took - rounding - DATE_AGE - evidence.fact(clockSkew);
  const full = acceptedWithin(evidence, limited, early, (one) => showsUntouched(readingOf(one), perMinute));
  return full === undefined
    ? undefined
    : contradictionOf(
        limited,
        ahead,
        `The full quota was available ${laterText(limited, full)} later, in ${exchangeName(full)}, so the limit had reset long before Reset.`,
      );
}

/** By more than rounding, clocks and the first request after a window. A wait of exactly a window may be on every 429. */
function waitsBeyondReset(evidence: Evidence, limited: Exchange, ahead: number): Problem | undefined {
  const { perMinute, minuteSeconds } = evidence.limits;
  const wait = literalWaitSeconds(limited) ?? 0;
  const explained = DATE_AGE + evidence.fact(clockSkew) + minuteSeconds / perMinute;
  if (wait === minuteSeconds || wait - ahead <= explained) return undefined;
  return contradictionOf(
    limited,
    ahead,
    'Retry-After is later than Reset. Either the limit does not reset at Reset, or clients wait longer than they have to.',
  );
}

/** Reset and Retry-After of one 429 that no limiter could send together. Which of the two is wrong stays open, so it is a doubt. */
const contradictionOf = (limited: Exchange, ahead: number, reasoning: string): Problem =>
  warn({
    expected: `a Reset that agrees with the Retry-After of ${literalWaitSeconds(limited)} s in the same 429`,
    received: resetText(limited, ahead),
    reasoning,
  });

const resetText = (limited: Exchange, ahead: number): string =>
  `a Reset ${Math.round(ahead)} s after the Date of the same response in ${exchangeName(limited)}`;

const laterText = (limited: Exchange, later: Exchange): string =>
  secondsText(later.received.mono - limited.sent.mono);

/** The length of the longest window that the answer may describe, in seconds. */
function longestWindow({ limits }: Evidence, exchange: Exchange): number {
  const known = exchange.caller === 'key' && statusOf(exchange) !== 401;
  const { limit } = rateHeadersOf(exchange);
  return known && limit === limits.perMinute ? limits.minuteSeconds : longestDaySeconds(limits);
}

/** Every stretch of use whose quota was full again before the Reset that its first response announced. */
function earlyOnes(evidence: Evidence) {
  // Where Remaining is not one count, it does not show when the limit reset.
  if (evidence.fact(miscounted) !== undefined) return [];
  const { quota } = evidence;
  return evidence.fact(uses).flatMap(({ series }) => fullBeforeReset(series, quota) ?? []);
}

/** It fails where more than the limit was accepted before that Reset (RATE-9). Otherwise it harms no client. */
function earlyProblem(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const found = evidence.fact(earlyOnes).find(({ first }) => first === exchange);
  if (found === undefined) return undefined;
  const { change, earlyMs, accepted } = found;
  const { perMinute } = evidence.limits;
  const beyond = accepted.length > perMinute;
  const fact = {
    expected: 'a Reset that names the moment at which the limit resets',
    received: `Remaining ${change.to.remaining} and a later Reset in ${exchangeName(change.to.exchange)}, more than ${secondsText(earlyMs)} before the Reset in ${exchangeName(exchange)}`,
    reasoning: beyond
      ? `${accepted.length} requests were accepted before that Reset, and the limit is ${perMinute}: the count was lost, or the window ends before Reset.`
      : 'The count was lost, or the window ends before Reset. No more than the limit was accepted before it.',
  };
  const date = dateHeaderSeconds(exchange);
  return beyond && (date === undefined || !isFarFromOurs(date, exchange)) ? fail(fact) : warn(fact);
}

/** How far the clocks of two machines may differ, in seconds, before one of them is surely wrong: a Reset of another time zone is further away. */
const CLOCKS_DIFFER_SECONDS = 300;

/** A Reset far outside its window by our clock, in a response without a Date (RATE-9): a doubt, for our clock may be wrong. */
function undatedProblem(exchange: Exchange, reset: number, longestSeconds: number): Problem | undefined {
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

/** Whether a Date is so far from the clock of this machine that a gateway may have written it, and not the service. */
const isFarFromOurs = (date: number, { received }: Exchange): boolean =>
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

/** What is wrong with a Reset that goes back and forth between two times (RATE-9): one of them is not when the limit resets. */
function swingProblem(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const returns = evidence.fact(returnsOfReset);
  const one = returns.find(({ to }) => to === exchange);
  if (one === undefined || returns.length < LEAST_RETURNS) return undefined;
  return warn({
    expected: 'one Reset for one limit',
    received: `a Reset that is ${Math.round(one.earlier)} s earlier in ${exchangeName(one.to)} than in ${exchangeName(one.from)} just before`,
    reasoning: `It went back and forth ${countOf(returns.length, 'time')}, as where instances of a service begin their windows at different times. At most one of the two is the time at which the limit resets.`,
  });
}

/**
 * The responses whose Reset is earlier than that of one before, and by how many seconds, relative to Date. Windows, logs
 * and buckets only ever move it on: by a request, a piece, or a new window.
 */
function returnsOfReset(evidence: Evidence) {
  const { minuteSeconds, perMinute } = evidence.limits;
  const least = ROUNDING_SECONDS + clockSkew(evidence) + (REQUESTS_GIVEN_BACK * minuteSeconds) / perMinute;
  const found: { readonly from: Exchange; readonly to: Exchange; readonly earlier: number }[] = [];
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
