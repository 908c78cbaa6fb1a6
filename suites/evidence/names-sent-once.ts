import type { Exchange } from '../../exchanges/exchange.ts';
import { SHORTEST_NAME } from '../probes/category-names.ts';
import { sentCategory } from './categories.ts';
import type { Evidence } from './evidence.ts';

/** The names that exactly one request of the run sent, whatever the answer. */
export function namesSentOnce(evidence: Evidence): ReadonlySet<string> {
  const times = new Map<string, number>();
  for (const name of evidence.exchanges.flatMap(sentNames)) times.set(name, (times.get(name) ?? 0) + 1);
  return new Set(
    [...times].flatMap(([name, sent]) => (sent === 1 && name.length >= SHORTEST_NAME ? [name] : [])),
  );
}

const sentNames = (exchange: Exchange): readonly string[] => {
  const name = exchange.request.method === 'POST' ? sentCategory(exchange)?.name : undefined;
  return name === undefined ? [] : [name];
};
