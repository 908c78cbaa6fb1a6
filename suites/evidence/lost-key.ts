import type { Exchange } from '../../exchanges/exchange.ts';
import { answerOf, statusOf } from '../../exchanges/headers.ts';
import { isDocumentedOperation } from '../../exchanges/operation.ts';
import { accepted, isKeyRejected, isRateLimited } from '../../exchanges/outcome-kinds.ts';
import { readRetryAfter } from '../../exchanges/retry-after.ts';

/** Answers in a row that show a key to be refused as such. */
const IN_A_ROW = 3;

/**
 * What was asked while the key, which had worked before, was banned, for what
 * this run or somebody else did with it: it was answered 401 or 403 whatever
 * it asked for, a list among it, or told with it when to come back. Nothing of
 * that is about the question: "A client that keeps sending requests after
 * receiving 429 may have its API key temporarily banned."
 * @param keyed what was sent with the key, in its order.
 */
export function whileLost(keyed: readonly Exchange[]): ReadonlySet<Exchange> {
  const lost = new Set<Exchange>();
  let listed = false;
  let worked = false;
  let row: Exchange[] = [];
  const close = (): void => {
    // Creations alone may be refused for what is in them.
    const known = listed && row.some(asksForList);
    if (known && row.length >= IN_A_ROW) for (const exchange of row) lost.add(exchange);
    row = [];
  };
  for (const exchange of keyed) {
    if (!isDocumentedOperation(exchange)) continue;
    if (isKeyRejected(exchange)) row.push(exchange);
    else if (statusOf(exchange) !== undefined && !isRateLimited(exchange)) close();
    if (isKeyRejected(exchange) && worked && toldToComeBack(exchange)) lost.add(exchange);
    worked ||= accepted(exchange);
    listed ||= accepted(exchange) && asksForList(exchange);
  }
  close();
  return lost;
}

const asksForList = ({ request }: Exchange): boolean => request.method === 'GET';

function toldToComeBack(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  return answer !== undefined && readRetryAfter(answer).kind !== 'absent';
}
