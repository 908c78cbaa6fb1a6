import type { Exchange } from '../../exchanges/exchange.ts';

/** More exchanges in a row than damage takes away: numbers that are further apart are no numbers of one run. */
const MOST_MISSING = 2000;

/**
 * The exchanges of a journal, each once. For every number that is missing, as
 * after damage, there stands an exchange of which nothing is known: it may have
 * been one of the examined key's, and the target is not accused of what it did then.
 */
export function accounted(exchanges: readonly Exchange[]): readonly Exchange[] {
  const found: Exchange[] = [];
  for (const exchange of exchanges) {
    const before = found.at(-1);
    if (before !== undefined && isSame(before, exchange)) continue;
    const missing = exchange.n - (before?.n ?? 0) - 1;
    for (let n = exchange.n - missing; n < exchange.n && missing <= MOST_MISSING; n += 1) {
      found.push(unknown(n, before ?? exchange, exchange));
    }
    found.push(exchange);
  }
  return found;
}

/** Whether a line stands there twice. */
const isSame = (one: Exchange, other: Exchange): boolean =>
  one.n === other.n && JSON.stringify(one) === JSON.stringify(other);

/** An exchange that was under way at some time from one that is known to the next. */
const unknown = (n: number, before: Exchange, after: Exchange): Exchange => ({
  kind: 'exchange',
  n,
  probe: before.probe,
  step: before.step,
  caller: 'key',
  connection: { id: 0, fresh: true },
  request: { method: 'GET', target: before.request.target, headers: [], body: null },
  sent: before.sent,
  received: after.received,
  outcome: {
    kind: 'no-response',
    cause: 'protocol',
    detail: 'the journal is damaged here, so nobody knows what was asked and answered',
  },
});
