import type { Exchange } from '../../exchanges/exchange.ts';
import { accepted, mayContainError } from '../../exchanges/outcome-kinds.ts';

/** Every request that may use the quota of the key under test. */
export function ofKey(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter(({ caller }) => caller === 'key' || caller === 'unspecified');
}

/** Whether the request surely uses the quota: it was surely accepted, and its credential is surely the key's. */
export const surelyCounts = (exchange: Exchange): boolean =>
  exchange.caller !== 'unspecified' && accepted(exchange) && !mayContainError(exchange);
