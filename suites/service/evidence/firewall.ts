import { countOf } from '../../../kernel/basics/text.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../kernel/exchanges/headers.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/operation.ts';
import { hasRateHeaders } from '../../../kernel/exchanges/rate-headers.ts';
import { isHtml } from '../model/target-reading.ts';
import type { Evidence } from './evidence.ts';

/** The most creations that a remark names. */
const MOST_NAMED = 6;

/** Statuses by which a firewall rejects a request for its contents. */
const REJECTS: ReadonlySet<number> = new Set([400, 403, 405, 406, 409, 418, 429, 451, 501]);

/**
 * Says which creations with the key got a page of HTML in place of an answer of the service, where other requests with
 * it got the headers of the service. Whether to accept a text is left open, so no requirement judges it.
 */
export function firewallRemarks(evidence: Evidence): readonly string[] {
  const keyed = evidence.by('key').filter(isDocumentedOperation);
  const pages = keyed.filter((exchange) => exchange.request.method === 'POST' && isPageInFront(exchange));
  if (pages.length === 0 || !keyed.some(hasRateHeaders)) return [];
  const named = pages.slice(0, MOST_NAMED).map((one) => `exchange ${one.n} ("${one.step}")`);
  const more = pages.length > MOST_NAMED ? `, and ${countOf(pages.length - MOST_NAMED, 'other')}` : '';
  const statuses = [...new Set(pages.map(statusOf))].join(' and ');
  return [
    `${countOf(pages.length, 'creation')} with the key got a page of HTML (${statuses}) in place of an answer of the service: ${named.join(', ')}${more}. A firewall in front of the service that rejects some texts is the likely reason. Whether such texts are accepted is left open by the specification; let the firewall pass them at this path if clients may send them, or let it answer with the Error of the specification.`,
  ];
}

function isPageInFront(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  return answer !== undefined && REJECTS.has(answer.status) && isHtml(answer) && !hasRateHeaders(exchange);
}
