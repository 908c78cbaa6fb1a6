import type { Answer, Exchange } from '../../../exchanges/exchange.ts';
import { exchangeName } from '../../../exchanges/exchange-text.ts';
import { answerOf, statusOf } from '../../../exchanges/headers.ts';
import { dateHeaderSeconds } from '../../../exchanges/http-date.ts';
import { accepted } from '../../../exchanges/outcome-kinds.ts';
import { readRateHeaders } from '../../../exchanges/rate-headers.ts';
import { literalWaitSeconds } from '../../../exchanges/retry-after.ts';
import { readingOf } from '../../../rate-limits/series/reading.ts';
import { showsRefilled } from '../../../rate-limits/untouched.ts';
import { quoted, secondsText } from '../../../words/text.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Problem } from '../../evidence/judgement.ts';
import { doubt, unclear, violation } from '../../evidence/judgement.ts';
import { isLoopback } from '../../inputs/base-url.ts';
import { WINDOW_SLACK } from '../limit-enforcement/window.ts';
import { single } from './presence.ts';

/** A Unix timestamp in seconds lies between these from 2001 to 5138; milliseconds and seconds left do not. */
const FIRST_SECOND = 1e9;

const LAST_SECOND = 1e11;

/** How far clocks of one service may differ, in seconds: on one machine, and across a network. */
const LOCAL_SKEW = 2;

const REMOTE_SKEW = 5;

/** A local day has up to 25 hours. */
const LONGEST_DAY = 25 / 24;

/** How old a Date may be when it is sent, in seconds: it is cut to a second, and many servers write one anew only each second. */
const DATE_AGE = 2;

export function resetProblem(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const text = single(exchange, 'X-RateLimit-Reset');
  if (text === undefined) return unclear(`${exchangeName(exchange)} has no one X-RateLimit-Reset.`);
  if (!/^[0-9]+(\.[0-9]+)?$/.test(text) || Number(text) < FIRST_SECOND || Number(text) >= LAST_SECOND) {
    return violation(
      `Expected Reset as a Unix timestamp in seconds, but ${exchangeName(exchange)} has ${quoted(text)}.`,
    );
  }
  const range = rangeProblem(evidence, exchange, Number(text));
  if (range !== undefined) return range;
  if (text.includes('.'))
    return doubt(`Expected whole seconds as Reset, but ${exchangeName(exchange)} has ${quoted(text)}.`);
  return undefined;
}

/** What goes wrong where Reset is not where it should be; a Date that keeps no time accuses nobody. */
const misplaced = (evidence: Evidence, text: string): Problem =>
  evidence.fact(keepsTime)
    ? violation(`${text}.`)
    : doubt(
        `${text}; but the Date of the answers does not keep time with them, so it may be that one that is wrong.`,
      );

/**
 * Whether one clock could have written every Date of the run: each was written
 * between the sending of its request and the receipt of its answer. A cache or
 * a proxy may put a Date of its own, or always the same.
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
  if (ahead < -1 - took - skew) {
    return misplaced(
      evidence,
      `Expected a Reset that is not past, but in ${exchangeName(exchange)} it lies ${-ahead} s before the answer’s own Date`,
    );
  }
  const longest = longestWindow(evidence, exchange, answer) + DATE_AGE + skew;
  if (ahead <= longest) return undefined;
  if (statusOf(exchange) === 429) return refuted(evidence, exchange, ahead);
  return misplaced(
    evidence,
    `Expected a Reset within the window that Limit describes (at most ${tenths(longest)} s ahead), but in ${exchangeName(exchange)} it lies ${tenths(ahead)} s after the answer’s own Date`,
  );
}

/** Upward, so that what is too long never reads like what is not. */
const tenths = (seconds: number): number => Math.ceil(seconds * 10) / 10;

/**
 * A refusal may move Reset to the end of a penalty, whose length the
 * specification leaves open. But where it asks itself for no longer wait than
 * a window, and all of the limit was there again after that, there was none.
 */
function refuted(evidence: Evidence, limited: Exchange, ahead: number): Problem | undefined {
  const { perMinute, minuteSeconds } = evidence.run.limits;
  const ofMinute = limited.caller === 'key' && readingOf(limited)?.limit === perMinute;
  const wait = literalWaitSeconds(answerOf(limited));
  if (!ofMinute || wait === undefined || wait > minuteSeconds + WINDOW_SLACK) return undefined;
  const end = limited.sent.mono + (ahead - evidence.fact(clockSkew)) * 1000;
  const whole = evidence.by('key').find((exchange) => {
    const between = exchange.sent.mono > limited.received.mono && exchange.received.mono < end;
    return between && accepted(exchange) && showsRefilled(readingOf(exchange), perMinute);
  });
  if (whole === undefined) return undefined;
  const later = secondsText(whole.received.mono - limited.sent.mono);
  return misplaced(
    evidence,
    `Expected Reset to say when the limit resets, but in ${exchangeName(limited)} it lies ${Math.round(ahead)} s after the answer’s own Date, and the limit was whole again in ${exchangeName(whole)}, ${later} later`,
  );
}

/** The length of the longest window that the answer may describe, in seconds. */
function longestWindow({ run }: Evidence, exchange: Exchange, answer: Answer): number {
  const known = exchange.caller === 'key' && statusOf(exchange) !== 401;
  const { limit } = readRateHeaders(answer.headers);
  return known && limit === run.limits.perMinute
    ? run.limits.minuteSeconds
    : run.limits.daySeconds * LONGEST_DAY;
}
