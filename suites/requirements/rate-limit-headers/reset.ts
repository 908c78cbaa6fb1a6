import type { Answer, Exchange } from '../../../exchanges/exchange.ts';
import { exchangeName } from '../../../exchanges/exchange-text.ts';
import { answerOf, statusOf } from '../../../exchanges/headers.ts';
import { dateHeaderSeconds } from '../../../exchanges/http-date.ts';
import { isLoopback } from '../../../exchanges/loopback.ts';
import { accepted } from '../../../exchanges/outcome-kinds.ts';
import { readRateHeaders } from '../../../exchanges/rate-headers.ts';
import { literalWaitSeconds } from '../../../exchanges/retry-after.ts';
import { longestDaySeconds } from '../../../rate-limits/quota.ts';
import { readingOf } from '../../../rate-limits/series/reading.ts';
import { showsRefilled } from '../../../rate-limits/untouched.ts';
import { quoted, secondsText } from '../../../words/text.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Problem } from '../../evidence/judgement.ts';
import { doubt, furtherReasoned, violation } from '../../evidence/judgement.ts';
import type { Fact } from '../../model/finding-text.ts';
import { WINDOW_SLACK } from '../limit-enforcement/window.ts';
import { singleValue } from './presence.ts';
import { withoutHeader } from './values.ts';

/** A Unix timestamp in seconds lies between these from 2001 to 5138; milliseconds and seconds left do not. */
const FIRST_SECOND = 1e9;

const LAST_SECOND = 1e11;

/** How far clocks of one service may differ, in seconds: on one machine, and across a network. */
const LOCAL_SKEW = 2;

const REMOTE_SKEW = 5;

/** How old a Date may be when it is sent, in seconds: it is truncated to a second, and many servers update it once a second. */
const DATE_AGE = 2;

/** What is wrong with the Reset of a response (RATE-9). */
export function resetProblem(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const text = singleValue(exchange, 'X-RateLimit-Reset');
  if (text === undefined) return withoutHeader(exchange, 'X-RateLimit-Reset');
  const received = `${quoted(text)} in ${exchangeName(exchange)}`;
  if (!/^[0-9]+(\.[0-9]+)?$/.test(text) || Number(text) < FIRST_SECOND || Number(text) >= LAST_SECOND) {
    return violation({ expected: 'a Unix timestamp in seconds as Reset', received });
  }
  const range = rangeProblem(evidence, exchange, Number(text));
  if (range !== undefined) return range;
  if (text.includes('.')) return doubt({ expected: 'whole seconds as Reset', received });
  return undefined;
}

/** A Reset out of range; where Date does not follow one clock, Date may be wrong instead. */
const outOfRange = (evidence: Evidence, fact: Fact): Problem =>
  evidence.fact(keepsTime)
    ? violation(fact)
    : doubt(
        furtherReasoned(
          fact,
          'The Date headers of this run do not follow one clock, so Date may be wrong instead of Reset.',
        ),
      );

/**
 * Whether one clock could have written every Date of the run, each between the
 * sending of its request and the receipt of its response. A cache or a proxy may
 * set a Date of its own, or always the same one.
 */
function keepsTime(evidence: Evidence): boolean {
  let least = Number.NEGATIVE_INFINITY;
  let most = Number.POSITIVE_INFINITY;
  for (const exchange of evidence.exchanges) {
    const date = dateHeaderSeconds(answerOf(exchange));
    if (date === undefined) continue;
    least = Math.max(least, date - exchange.received.mono / 1000);
    most = Math.min(most, date + 1 - exchange.sent.mono / 1000);
  }
  return least <= most + evidence.fact(clockSkew);
}

const clockSkew = ({ run }: Evidence): number =>
  isLoopback(new URL(run.target.baseUrl)) ? LOCAL_SKEW : REMOTE_SKEW;

function rangeProblem(evidence: Evidence, exchange: Exchange, reset: number): Problem | undefined {
  const answer = answerOf(exchange);
  const date = dateHeaderSeconds(answer);
  if (answer === undefined || date === undefined) return undefined;
  const skew = evidence.fact(clockSkew);
  const took = (exchange.received.mono - exchange.sent.mono) / 1000;
  const ahead = reset - date;
  const where = `in ${exchangeName(exchange)}`;
  if (ahead < -1 - took - skew) {
    return outOfRange(evidence, {
      expected: 'a Reset that is not in the past',
      received: `a Reset ${-ahead} s before the Date of the same response ${where}`,
    });
  }
  const longest = longestWindow(evidence, exchange, answer) + DATE_AGE + skew;
  if (ahead <= longest) return undefined;
  if (statusOf(exchange) === 429) return refuted(evidence, exchange, ahead);
  return outOfRange(evidence, {
    expected: `a Reset within the window that Limit describes, at most ${tenths(longest)} s ahead`,
    received: `a Reset ${tenths(ahead)} s after the Date of the same response ${where}`,
  });
}

/** Rounded up, so that a value beyond the maximum never reads as one within it. */
const tenths = (value: number): number => Math.ceil(value * 10) / 10;

/**
 * A 429 may move Reset to the end of a penalty, whose length the specification
 * leaves open. But if it announces a wait of at most a window, and the full
 * quota was available after that, there was no penalty.
 */
function refuted(evidence: Evidence, limited: Exchange, ahead: number): Problem | undefined {
  const { perMinute, minuteSeconds } = evidence.run.limits;
  const ofMinute = limited.caller === 'key' && readingOf(limited)?.limit === perMinute;
  const wait = literalWaitSeconds(answerOf(limited));
  if (!ofMinute || wait === undefined || wait > minuteSeconds + WINDOW_SLACK) return undefined;
  const end = limited.sent.mono + (ahead - evidence.fact(clockSkew)) * 1000;
  const full = evidence.by('key').find((exchange) => {
    const between = exchange.sent.mono > limited.received.mono && exchange.received.mono < end;
    return between && accepted(exchange) && showsRefilled(readingOf(exchange), perMinute);
  });
  if (full === undefined) return undefined;
  const later = secondsText(full.received.mono - limited.sent.mono);
  return outOfRange(evidence, {
    expected: 'a Reset that names the end of the window',
    received: `a Reset ${Math.round(ahead)} s after the Date of the same response in ${exchangeName(limited)}`,
    reasoning: `The full quota was available again in ${exchangeName(full)}, ${later} later.`,
  });
}

/** The length of the longest window that the answer may describe, in seconds. */
function longestWindow({ run }: Evidence, exchange: Exchange, answer: Answer): number {
  const known = exchange.caller === 'key' && statusOf(exchange) !== 401;
  const { limit } = readRateHeaders(answer.headers);
  return known && limit === run.limits.perMinute ? run.limits.minuteSeconds : longestDaySeconds(run.limits);
}
