import { countOf } from '../../../kernel/basics/text.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../kernel/exchanges/headers.ts';
import { accepted, exchangeName } from '../../../kernel/exchanges/outcome-kinds.ts';
import { isHtml } from '../model/target-reading.ts';
import type { Evidence } from './evidence.ts';

/** What a service answers that creates nothing with this key: 403, and 400 where it validates first. */
const WITHOUT_PERMISSION: ReadonlySet<number | undefined> = new Set([400, 403, 429, undefined]);

/**
 * Why nothing shows what the service does with creations; undefined where something does. The scopes of keys are not
 * shown, so a service may have keys that only read, and 403 is what HTTP has for them (RFC 9110 §15.5.4). A page of HTML
 * is no answer of the service, such as that of a protection against forged forms.
 */
export function mayOnlyRead(evidence: Evidence): string | undefined {
  const keyed = evidence.by('key').filter(isDocumentedOperation);
  const creations = keyed.filter(({ request }) => request.method === 'POST');
  const forbidden = creations.filter((one) => statusOf(one) === 403);
  const [first] = forbidden;
  if (first === undefined || forbidden.some(isPage)) return undefined;
  if (creations.some((one) => !WITHOUT_PERMISSION.has(statusOf(one)))) return undefined;
  if (!keyed.some((one) => accepted(one) && one.request.method === 'GET')) return undefined;
  return `Lists were accepted with the key, and ${countOf(forbidden.length, 'creation')} received 403, the first in ${exchangeName(first)}: the key may only be allowed to read, and the specification does not show the scopes of keys. Run again with a key that may create.`;
}

function isPage(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  return answer !== undefined && isHtml(answer);
}
