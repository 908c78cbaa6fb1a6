import { secondsText } from '../../../../kernel/basics/text.ts';
import { firstFrom } from '../../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { headersOf, headerValue, statusOf } from '../../../../kernel/exchanges/headers.ts';
import { accepted, exchangeName } from '../../../../kernel/exchanges/outcome-kinds.ts';
import {
  dateHeaderSeconds,
  literalWaitSeconds,
  rateHeadersOf,
} from '../../../../kernel/exchanges/rate-headers.ts';
import type { Fact } from '../../../../kernel/findings/finding-text.ts';
import type { Problem } from '../../../../kernel/findings/judgement.ts';
import { fail, furtherReasoned, warn } from '../../../../kernel/findings/judgement.ts';
import type { FullBeforeReset } from '../../../../kernel/rate-limits/bounds/refill.ts';
import { fullBeforeReset, mayBeFullLater } from '../../../../kernel/rate-limits/bounds/refill.ts';
import { showsRefilled, showsUntouched } from '../../../../kernel/rate-limits/bounds/windows.ts';
import { hasOneDate } from '../../../../kernel/rate-limits/clocks.ts';
import { longestDaySeconds } from '../../../../kernel/rate-limits/quota.ts';
import { readingOf } from '../../../../kernel/rate-limits/series.ts';
import { clockSkew } from '../../evidence/circumstances.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { miscounted, uses } from '../../evidence/uses.ts';
import { lastsLonger, WINDOW_SLACK } from '../limit-enforcement/window.ts';
import { valueText, withoutHeader } from './presence.ts';
import { dateIsOff, isFarFromOurs, swingProblem, undatedProblem } from './reset-by-our-clock.ts';

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

/** A Reset out of range; where Date does not follow one clock, Date may be wrong instead. */
const outOfRange = (evidence: Evidence, fact: Fact): Problem =>
  evidence.fact(keepsTime) ? fail(fact) : warn(furtherReasoned(fact, SEVERAL_CLOCKS));

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
  const isDateOff = dateIsOff(exchange, { reset, date }, longest);
  const problem = (fact: Fact): Problem =>
    isDateOff ? warn({ ...fact, reasoning: WRONG_DATE }) : outOfRange(evidence, fact);
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
function earlyOnes(evidence: Evidence): readonly FullBeforeReset[] {
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
