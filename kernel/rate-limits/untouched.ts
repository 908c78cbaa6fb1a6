import type { Exchange } from '../exchanges/exchange.ts';
import { answerOf } from '../exchanges/headers.ts';
import { readRateHeaders } from '../exchanges/rate-headers.ts';
import type { Reading } from './series/reading.ts';

// Whether a window is untouched is decided here and nowhere else. Every answer
// to "untouched" is a bound on Remaining in a response, with one of two tolerances.

/** The two numbers of a response that tell. */
type QuotaShown = Pick<Reading, 'limit' | 'remaining'>;

/** The request that shows the reading has used one itself. */
const ITSELF = 1;

/**
 * One request more: after a wait, a request that was under way together with it
 * may have been counted before it, and a bucket may round what flowed back.
 */
const ITSELF_AND_ONE_MORE = 2;

/** Whether nothing of this limit was used before the request that shows it: the strict form, for a count that begins here. */
export function showsUntouched<R extends QuotaShown>(reading: R | undefined, limit: number): reading is R {
  return reading?.limit === limit && reading.remaining >= limit - ITSELF;
}

/** Whether a window that had been used is full again: the lenient form, for a refill that is observed. */
export function showsRefilled<R extends QuotaShown>(reading: R | undefined, limit: number): reading is R {
  return reading?.limit === limit && reading.remaining >= limit - ITSELF_AND_ONE_MORE;
}

/** Whether a part of this limit was used before the request that shows it. */
export function showsUse<R extends QuotaShown>(reading: R | undefined, limit: number): reading is R {
  return reading?.limit === limit && !showsUntouched(reading, limit);
}

/**
 * Whether nothing in this response speaks against an untouched limit: it is no
 * 429, and its headers state nothing about this limit (unusable, or about the day)
 * or show it untouched. Without a response nothing speaks against it either.
 */
export function mayBeUntouched(exchange: Exchange, limit: number): boolean {
  const answer = answerOf(exchange);
  if (answer === undefined || answer.status === 429) return answer === undefined;
  const shown = readRateHeaders(answer.headers);
  return shown.limit !== limit || shown.remaining === undefined || shown.remaining >= limit - ITSELF;
}
