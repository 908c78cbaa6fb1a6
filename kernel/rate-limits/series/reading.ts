import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf } from '../../exchanges/headers.ts';
import { readRateHeaders } from '../../exchanges/rate-headers.ts';
import { carriesKey } from './keyed-requests.ts';

/** A usable statement of the target about the remaining quota. */
export interface Reading {
  readonly exchange: Exchange;
  readonly limit: number;
  readonly remaining: number;
}

/**
 * What one response states about the remaining quota, where it does so usably. A 401 is about an unauthenticated
 * caller, whoever sent the request; so may be any response to a presentation of the key that is unspecified or
 * invalid, because authentication and the limiter can differ in whose request that is. What a cache shows again is
 * about the request for which it was stored.
 */
export function readingOf(exchange: Exchange): Reading | undefined {
  const answer = answerOf(exchange);
  if (answer === undefined || exchange.shownAgain !== undefined) return undefined;
  if (exchange.caller === 'unspecified' || carriesKey(exchange)) return undefined;
  if (answer.status === 401 && exchange.caller !== 'unauthenticated') return undefined;
  const { limit, remaining } = readRateHeaders(answer.headers);
  // A Remaining above the Limit is wrong (RATE-6), so it states nothing about the quota.
  if (limit === undefined || remaining === undefined || remaining > limit) return undefined;
  return { exchange, limit, remaining };
}
