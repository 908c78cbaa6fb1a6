import { LONGEST_QUOTE, quoted } from '../words/text.ts';
import type { Exchange } from './exchange.ts';
import { headerValue } from './headers.ts';

/** How a sentence names an exchange: `exchange 12 (GET /v1/categories)`. */
export const exchangeName = ({ n, request }: Exchange): string =>
  `exchange ${n} (${request.method} ${request.target.slice(0, LONGEST_QUOTE)})`;

/** What a sentence says of an exchange's outcome: `answered 200`, where a redirect leads, or why no response came. */
export function outcomeText({ outcome }: Exchange): string {
  if (outcome.kind !== 'answer') return `got no answer (${quoted(outcome.detail)})`;
  const redirects = outcome.status >= 300 && outcome.status < 400;
  const location = redirects ? headerValue(outcome.headers, 'Location') : undefined;
  return `answered ${outcome.status}${location === undefined ? '' : ` and sends to ${quoted(location)}`}`;
}
