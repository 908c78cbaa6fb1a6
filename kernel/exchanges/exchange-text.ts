import { LONGEST_QUOTE, quoted } from '../basics/text.ts';
import type { Exchange } from './exchange.ts';
import { headerValue } from './headers.ts';

/** How a sentence names an exchange: `exchange 12 (GET /v1/categories)`. */
export const exchangeName = ({ n, request }: Exchange): string =>
  `exchange ${n} (${request.method} ${request.target.slice(0, LONGEST_QUOTE)})`;

/**
 * What came in answer to an exchange, as a noun phrase: the status, with the
 * Location of a redirect, or why no response came.
 */
export function responseText({ outcome }: Exchange): string {
  if (outcome.kind !== 'answer')
    return outcome.cause === 'locked-out' ? outcome.detail : `no response (${quoted(outcome.detail)})`;
  const redirects = outcome.status >= 300 && outcome.status < 400;
  const location = redirects ? headerValue(outcome.headers, 'Location') : undefined;
  return `${outcome.status}${location === undefined ? '' : ` with Location ${quoted(location)}`}`;
}

/** The response and its exchange: `404 in exchange 12 (GET /v1/categories)`. */
export function receivedText(exchange: Exchange): string {
  return `${responseText(exchange)} in ${exchangeName(exchange)}`;
}

/** Where these exchanges lie, to stand behind a noun: ` in exchange 3 (…)` or ` from exchange 3 (…) to exchange 9 (…)`; empty for none. */
export function spanText(exchanges: readonly Exchange[]): string {
  const [first, ...others] = [...exchanges].sort((a, b) => a.n - b.n);
  const last = others.at(-1);
  if (first === undefined) return '';
  return last === undefined
    ? ` in ${exchangeName(first)}`
    : ` from ${exchangeName(first)} to ${exchangeName(last)}`;
}
