import type { Exchange } from './exchange.ts';

/** Whether an exchange asked one of the two operations whose shapes the specification shows. */
export function shown(exchange: Exchange): boolean {
  const { target } = exchange.request;
  const query = target.indexOf('?');
  return target.endsWith('/categories', query === -1 ? target.length : query);
}
