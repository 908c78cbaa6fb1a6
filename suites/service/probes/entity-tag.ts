import type { Exchange, HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, headerValue } from '../../../kernel/exchanges/headers.ts';
import { isListOfKey } from './category-requests.ts';

/** An entity tag, strong or weak (RFC 9110 §8.8.3); none is longer than this in practice. */
const ENTITY_TAG = /^(?:W\/)?"[!#-~]{0,200}"$/;

/** `If-None-Match` with the ETag of the last list of the key, as a client sends it that kept this list; nothing where it has none. */
export function conditionOnLastList(exchanges: readonly Exchange[]): readonly HeaderLine[] {
  const list = exchanges.findLast(isListOfKey);
  const tag = list === undefined ? undefined : headerValue(answerOf(list)?.headers ?? [], 'ETag');
  return tag !== undefined && ENTITY_TAG.test(tag) ? [['If-None-Match', tag]] : [];
}
