import { cacheLine } from '../../../kernel/exchanges/cache-headers.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import type { Evidence } from './evidence.ts';

/** Whether a cache answered with what it had stored, and no limiter saw the request. */
export const isStored = ({ shownAgain }: Exchange): boolean => shownAgain !== undefined;

/** The response of which exchange a cache showed again here, and by which header it names itself: a clause. */
export function storedText(exchange: Exchange): string {
  const line = cacheLine(exchange);
  const named = line === undefined ? '' : ` (${line})`;
  return `a cache showed the response of exchange ${exchange.shownAgain} again in exchange ${exchange.n}${named}`;
}

/** Why requests that a cache answered leave open how they are counted; undefined where none answered any. */
export function answeredByCache(evidence: Evidence): string | undefined {
  const stored = evidence.by('key').find(isStored);
  return stored === undefined
    ? undefined
    : `Some requests reached no limiter (RATE-7): ${storedText(stored)}.`;
}
