import type { Exchange } from '../../exchanges/exchange.ts';
import { accepted, mayContainError } from '../../exchanges/outcome-kinds.ts';

/** What was sent with the key under test, in a presentation that is valid or that the specification leaves open. */
export function ofKey(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(isOfKey);
}

const isOfKey = ({ caller }: Exchange): boolean => caller === 'key' || caller === 'unspecified';

/** The key under test, byte for byte or in another spelling of the same characters, as the journal names it. */
const THE_KEY = /\[key(?: in base64| in another case)?\]/;

/**
 * Whether the request has the key in a form that is no valid credential, such as
 * a bare key, Basic, or a query. It must get 401, and yet a limiter that stands
 * before authentication and reads the key there counts it for the key: its caller cannot be known.
 */
export function carriesKey({ caller, request }: Exchange): boolean {
  if (caller !== 'unauthenticated') return false;
  return (
    THE_KEY.test(request.target) ||
    request.headers.some(([, value]) => THE_KEY.test(value)) ||
    (request.body !== null && THE_KEY.test(request.body.text))
  );
}

/**
 * Every request that may use the quota of the key under test. Whether those count
 * that are not surely the key's is open, so that a bound takes the reading which is best for the target.
 */
export function mayCount(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter((exchange) => isOfKey(exchange) || carriesKey(exchange));
}

/** Whether the request surely uses the quota: it was surely accepted, and its credential is surely the key's. */
export const surelyCounts = (exchange: Exchange): boolean =>
  hasKnownCaller(exchange) && accepted(exchange) && !mayContainError(exchange);

/** Whether the specification says for which key the request counts. */
export const hasKnownCaller = ({ caller }: Exchange): boolean =>
  caller !== 'unspecified' && caller !== 'unauthenticated';
