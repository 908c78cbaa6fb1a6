import { wholeText } from '../exchanges/body.ts';
import type { Answer, Exchange } from '../exchanges/exchange.ts';
import { greatest, least } from '../exchanges/extremes.ts';
import { answerOf, statusOf } from '../exchanges/headers.ts';
import { readRateHeaders } from '../exchanges/rate-headers.ts';
import type { Limits } from '../suites/model/journal.ts';

/**
 * One moment of use of a key: a single request, or several that were under way
 * at the same time and whose order at the target nobody knows.
 */
export interface Step {
  readonly exchanges: readonly Exchange[];
  /** The earliest sending, milliseconds on the monotonic clock. */
  readonly sent: number;
  /** The latest receipt, milliseconds on the monotonic clock. */
  readonly received: number;
  /** What the answer of a single request said; undefined for several, or where the headers are unusable. */
  readonly reading: Reading | undefined;
}

/** A usable statement of the target about what is left. */
export interface Reading {
  readonly exchange: Exchange;
  readonly limit: number;
  readonly remaining: number;
}

/** The use of one key without a pause of a whole window, oldest first. */
export type Series = readonly Step[];

/** Groups exchanges by overlap in time: what overlaps has no order. Pure over the journal's times, no labels needed. */
export function stepsOf(exchanges: readonly Exchange[]): Series {
  const ordered = [...exchanges].sort((a, b) => a.sent.mono - b.sent.mono);
  const groups: Exchange[][] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const exchange of ordered) {
    const group = groups.at(-1);
    if (group !== undefined && exchange.sent.mono < until) group.push(exchange);
    else groups.push([exchange]);
    until = Math.max(until, exchange.received.mono);
  }
  return groups.map(step);
}

/** Splits the use of a key where it paused for a whole window: what happened before is forgotten then by every window. */
export function seriesOf(exchanges: readonly Exchange[], limits: Limits): readonly Series[] {
  const series: Step[][] = [];
  for (const next of stepsOf(exchanges)) {
    const current = series.at(-1);
    const previous = current?.at(-1);
    const paused = previous === undefined || next.sent - previous.received >= limits.minuteSeconds * 1000;
    if (paused || current === undefined) series.push([next]);
    else current.push(next);
  }
  return series;
}

/** The steps before the one in which the first 429 came: what was under way together with it has no order. */
export function beforeFirst429(series: Series): Series {
  const end = series.findIndex((step) => step.exchanges.some(isRateLimited));
  return end === -1 ? series : series.slice(0, end);
}

/** Whether nothing of a limit is used but by the request that says so, and by one that came with it. */
export function isWhole(reading: Reading | undefined, limit: number): reading is Reading {
  return reading?.limit === limit && reading.remaining >= limit - 2;
}

function step(exchanges: readonly Exchange[]): Step {
  const [only, second] = exchanges;
  if (only !== undefined && second === undefined) {
    return { exchanges, sent: only.sent.mono, received: only.received.mono, reading: readingOf(only) };
  }
  return {
    exchanges,
    sent: least(exchanges.map((one) => one.sent.mono)),
    received: greatest(exchanges.map((one) => one.received.mono)),
    reading: undefined,
  };
}

/**
 * What one answer said about what is left, where it said it usably. A 401
 * speaks of another caller, whoever was meant; so may any answer to an odd
 * presentation of the key, which authentication can read where the limiter does not.
 */
export function readingOf(exchange: Exchange): Reading | undefined {
  const answer = answerOf(exchange);
  if (answer === undefined || exchange.caller === 'unspecified') return undefined;
  if (answer.status === 401 && exchange.caller !== 'unauthenticated') return undefined;
  const { limit, remaining } = readRateHeaders(answer.headers);
  // More than the limit is left of nothing (RATE-6), so it says nothing of what is.
  if (limit === undefined || remaining === undefined || remaining > limit) return undefined;
  return { exchange, limit, remaining };
}

/** Every request that may use the examined key's quota. */
export function ofKey(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(({ caller }) => caller === 'key' || caller === 'unspecified');
}

/** Whether the request surely counts: accepted, and under a credential that is surely the key's. */
export const surelyCounts = (exchange: Exchange): boolean =>
  exchange.caller !== 'unspecified' && accepted(exchange);

/** Whether the target accepted the request. A success whose body is an Error is a refusal in disguise. */
export function accepted(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  return answer !== undefined && answer.status >= 200 && answer.status < 300 && !saysError(answer);
}

/** Longer bodies are no Error that a limiter writes. */
const LONGEST_ERROR = 4096;

/** The status line says that a request was accepted; only a body that is known whole can say otherwise. */
function saysError(answer: Answer): boolean {
  const { body } = answer;
  if (body.cut || body.text.length > LONGEST_ERROR || !/^\s*\{/.test(body.text)) return false;
  // Headers last: a long journal is asked for every one of its answers.
  return /"status"\s*:\s*[45][0-9]{2}\b/.test(wholeText(answer) ?? '');
}

/** Whether the target refused the key itself: it does not know it, or has banned it. */
export const isKeyRejected = (exchange: Exchange): boolean =>
  statusOf(exchange) === 401 || statusOf(exchange) === 403;

/**
 * Whether the target, or a gateway before it, says that it cannot answer just
 * now (RFC 9110 §15.6.3 to §15.6.5): that is about the moment and not about
 * the question, like an answer that was lost on its way.
 */
export function unavailable(exchange: Exchange): boolean {
  const status = statusOf(exchange);
  return status === 502 || status === 503 || status === 504;
}

/** Whether the target refused the request for its rate. */
export const isRateLimited = (exchange: Exchange): boolean => statusOf(exchange) === 429;
