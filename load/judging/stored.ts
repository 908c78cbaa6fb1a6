import { cacheLine, statesStored } from '../../kernel/exchanges/cache-headers.ts';
import type { Exchange } from '../../kernel/exchanges/exchange.ts';
import { headersOf, headerValue } from '../../kernel/exchanges/headers.ts';
import { accepted } from '../../kernel/exchanges/outcome-kinds.ts';

/** A response that is so much older than the request, in milliseconds, was made for an earlier one: Date is a whole second. */
const OLDER_MS = 2000;

/** What shows that a cache before the limiter answered requests, in one sentence; undefined where nothing does. */
export function answeredFromCache(exchanges: readonly Exchange[]): string | undefined {
  const served = exchanges.filter(accepted);
  const stored = served.find(statesStored);
  if (stored !== undefined)
    return `A cache answered request ${stored.n} (${cacheLine(stored)}), and a limiter behind it sees no such request: count requests before the cache, or store no responses of a key.`;
  const firsts = new Map<string, Exchange>();
  for (const one of served) {
    const text = HEADERS.map((name) => headerValue(headersOf(one), name)).join();
    const first = firsts.get(text) ?? one;
    firsts.set(text, first);
    if (headerValue(headersOf(one), 'Date') !== undefined && one.sent.mono - first.received.mono > OLDER_MS)
      return `Request ${one.n} shows the Date, Remaining and Reset of request ${first.n} again: a cache before the limiter may answer with stored responses.`;
  }
  return undefined;
}

const HEADERS = ['Date', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
