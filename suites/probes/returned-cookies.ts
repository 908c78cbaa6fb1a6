import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf, headerValues, statusOf } from '../../exchanges/headers.ts';

/** The most cookies that are sent back, and the longest line of them; browsers keep more (RFC 6265 §6.1). */
const MOST = 20;
const LONGEST = 4096;

/**
 * The line of the `Cookie` header that a browser would send after the successes
 * of the key (RFC 6265 §4.2); empty where these set no cookie. Of cookies with
 * one name the last one counts, and one without a value was deleted.
 */
export function returnedCookies(exchanges: readonly Exchange[]): string {
  const cookies = new Map<string, string>();
  for (const line of exchanges.filter(isSuccessOfKey).flatMap(setCookies)) {
    const [, name = '', value = ''] = /^([!-:<>-~]+)=([!-:<-~]*)/.exec(line) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
  const pairs = [...cookies].slice(-MOST).map(([name, value]) => `${name}=${value}`);
  while (pairs.join('; ').length > LONGEST) pairs.shift();
  return pairs.join('; ');
}

const isSuccessOfKey = (exchange: Exchange): boolean =>
  exchange.caller === 'key' && [200, 201].includes(statusOf(exchange) ?? 0);

const setCookies = (exchange: Exchange): readonly string[] =>
  headerValues(answerOf(exchange)?.headers ?? [], 'Set-Cookie');
