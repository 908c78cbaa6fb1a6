import type { Exchange } from '../../../kernel/exchanges/exchange.ts';

/** More exchanges in a row than damage takes away: numbers that are further apart are no numbers of one run. */
const MOST_MISSING = 2000;

/**
 * The exchanges of a journal, each once. For every number that is missing, as
 * after damage, an exchange without contents is inserted: it may have been one of
 * the key under test, so nothing that it could explain counts against the target.
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

/** No connection of a run has this number. */
const NO_CONNECTION = 0;

/** Whether an exchange was inserted for one that the journal lacks: nothing is known of it. */
export const isMissing = ({ connection }: Exchange): boolean => connection.id === NO_CONNECTION;

/** Whether a line occurs twice. */
const isSame = (one: Exchange, other: Exchange): boolean =>
  one.n === other.n && JSON.stringify(one) === JSON.stringify(other);

/** An exchange that was under way at some time from one that is known to the next. */
const unknown = (n: number, before: Exchange, after: Exchange): Exchange => ({
  kind: 'exchange',
  n,
  probe: before.probe,
  step: before.step,
  caller: 'key',
  connection: { id: NO_CONNECTION, fresh: true },
  request: { method: 'GET', target: before.request.target, headers: [], body: null },
  sent: before.sent,
  received: after.received,
  outcome: {
    kind: 'no-response',
    cause: 'protocol',
    detail: 'the journal is damaged here, so request and response are unknown',
  },
});
