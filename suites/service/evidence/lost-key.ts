import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../kernel/exchanges/headers.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/operation.ts';
import { accepted, isKeyRejected, isRateLimited } from '../../../kernel/exchanges/outcome-kinds.ts';
import { readRetryAfter } from '../../../kernel/exchanges/retry-after.ts';

/** Responses in a row that show that the key itself is rejected. */
const IN_A_ROW = 3;

/**
 * What was sent while the key, which worked before or right after, was banned because of this run or another client:
 * every request, a list among them, was answered 401 or 403, or such a response had Retry-After. None of these
 * responses is about its request.
 */
export function whileLost(keyed: readonly Exchange[]): ReadonlySet<Exchange> {
  const lost = new Set<Exchange>();
  let listed = false;
  let worked = false;
  let row: Exchange[] = [];
  const close = (then?: Exchange): void => {
    // Before the run, another client may have got the key banned; a list that is accepted then shows that it is known.
    const isKnown = listed || (then !== undefined && requestsList(then) && accepted(then));
    // Creations alone may be rejected for their contents.
    if (isKnown && row.some(requestsList) && row.length >= IN_A_ROW)
      for (const exchange of row) lost.add(exchange);
    row = [];
  };
  for (const exchange of keyed) {
    if (!isDocumentedOperation(exchange)) continue;
    if (isKeyRejected(exchange)) row.push(exchange);
    else if (statusOf(exchange) !== undefined && !isRateLimited(exchange)) close(exchange);
    if (isKeyRejected(exchange) && worked && announcesWait(exchange)) lost.add(exchange);
    worked ||= accepted(exchange);
    listed ||= accepted(exchange) && requestsList(exchange);
  }
  close();
  return lost;
}

const requestsList = ({ request }: Exchange): boolean => request.method === 'GET';

const announcesWait = (exchange: Exchange): boolean => readRetryAfter(answerOf(exchange)).kind !== 'absent';
