import type { Exchange } from './exchange.ts';
import { headersOf, headerValue } from './headers.ts';
import { CACHE_STATUS, INTERMEDIARY } from './judged-headers.ts';

/** What a cache writes where it answered from its store: `HIT`, `TCP_MEM_HIT`, `Hit from cloudfront`, `ExampleCache; hit`. */
const ANSWERED = /(^|[^a-z])(hit|stale|updating)([^a-z]|$)/i;

/** Lines that a cache writes or changes in a stored response, and those of the connection, in lower case. */
const CHANGED_BY_CACHES =
  /^(age|via|x-served-by|x-timer|x-varnish|cf-.*|(x-)?(proxy-)?cache-?(status|hits|lookup)?|x-cache.*|server-timing|connection|keep-alive)$/;

/** Whether the response is older than its request by its own statement. */
export const isAged = (exchange: Exchange): boolean => Number(ageOf(exchange) ?? 0) > 0;

/** Only a cache writes an Age, in whole seconds: no origin does (RFC 9111 §5.1). */
const ageOf = (exchange: Exchange): string | undefined => headerValue(headersOf(exchange), 'Age');

/** Whether the response states that a cache answered with what it had stored. */
export const statesStored = (exchange: Exchange): boolean =>
  ageOf(exchange) !== undefined ||
  CACHE_STATUS.some((name) => ANSWERED.test(headerValue(headersOf(exchange), name) ?? ''));

/** The header line that shows a cache best, as `X-Cache: HIT`; undefined where the response names none. */
export function cacheLine(exchange: Exchange): string | undefined {
  const headers = headersOf(exchange);
  const stated = CACHE_STATUS.find((name) => ANSWERED.test(headerValue(headers, name) ?? ''));
  const name =
    stated ?? (ageOf(exchange) !== undefined ? 'Age' : INTERMEDIARY.find((one) => headerValue(headers, one)));
  return name === undefined ? undefined : `${name}: ${headerValue(headers, name)}`;
}

/** The header lines of a response that a cache leaves as it stored them, `Date` apart, as one text. */
export const storedLines = (exchange: Exchange): string =>
  headersOf(exchange)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => name !== 'date' && !CHANGED_BY_CACHES.test(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
