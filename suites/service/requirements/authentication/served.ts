import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { answerOf, statusOf } from '../../../../kernel/exchanges/headers.ts';
import { exchangeName, receivedText, unavailable } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Problem } from '../../../../kernel/findings/judgement.ts';
import { fail, inconclusive, warn } from '../../../../kernel/findings/judgement.ts';
import { isSuccess } from '../../evidence/answers.ts';
import { creationsSeen, lists, sentCategory } from '../../evidence/categories.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { canonical, fieldsOf, jsonIn, numberText, stringsIn } from '../../evidence/json.ts';
import { CLAIMS, METHODS, OTHER_PATHS } from '../../probes/other-spellings.ts';

/** Steps whose success alone serves nothing: a preflight, and paths that may be pages in front of the service. */
const MAY_SUCCEED: ReadonlySet<string> = new Set([
  ...OTHER_PATHS,
  METHODS.options,
  METHODS.optionsForGet,
  METHODS.optionsForPost,
]);

/** Only what serves the list, creates, or succeeds violates; what answers 3xx or 4xx, a page or a preflight serves nothing. */
export function servedProblem(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const status = statusOf(exchange);
  if (status === undefined || status === 429 || unavailable(exchange))
    return inconclusive(`The target sent ${receivedText(exchange)}, which shows nothing about the key.`);
  if (!isSuccess(exchange)) return undefined;
  const received = receivedText(exchange);
  if (exchange.request.method === 'HEAD')
    return warn({
      expected: '401 to HEAD without a key, as to GET',
      received,
      reasoning:
        'The specification shows no HEAD. RFC 9110 §9.3.2 defines it as GET without the content, so its headers are those of the list.',
    });
  if (status === 201 || !mayServeNothing(exchange) || showsCategories(evidence, exchange))
    return fail({ expected: `no success without a valid key ("${exchange.step}")`, received });
  return answerOf(exchange)?.body.cut === true
    ? inconclusive(`Only a part of the body of ${exchangeName(exchange)} was kept, so it cannot be compared.`)
    : undefined;
}

/** Whether a success alone serves nothing. A gateway may answer a monitor or a browser itself, and then with no list. */
const mayServeNothing = (exchange: Exchange): boolean =>
  MAY_SUCCEED.has(exchange.step) ||
  (Object.hasOwn(CLAIMS, exchange.step) && !Array.isArray(jsonIn(answerOf(exchange)?.body)?.value));

/** Whether a response holds categories that callers with a key saw, or the one that its request sent with an id. */
function showsCategories(evidence: Evidence, exchange: Exchange): boolean {
  const json = jsonIn(answerOf(exchange)?.body);
  if (json === undefined) return false;
  const { names, entries } = evidence.fact(seenWithKey);
  const sent = sentCategory(exchange)?.name;
  const fields = fieldsOf(json.value);
  if (sent !== undefined && fields?.get('name') === sent && fields.has('id')) return true;
  if (stringsIn(json.value).some((text) => names.has(text))) return true;
  const wrapped = [...(fields?.values() ?? [])];
  return [json.value, ...wrapped].some(
    (items) => Array.isArray(items) && items.some((item) => entries.has(entryText(item))),
  );
}

/** The names that this run created, and every category of the lists that the key received. */
function seenWithKey(evidence: Evidence): {
  readonly names: ReadonlySet<string>;
  readonly entries: ReadonlySet<string>;
} {
  const keyed = lists(evidence).filter(({ exchange }) => exchange.caller === 'key');
  const contents = new Set(keyed.map((list) => list.contents));
  const items = [...contents].flatMap((one) => one.items);
  return {
    names: new Set(creationsSeen(evidence).flatMap(({ sent }) => (sent === undefined ? [] : [sent.name]))),
    entries: new Set(items.map(({ json }) => entryText(json.value)).filter((text) => text !== '')),
  };
}

/** The id and the name of a category as one text; empty for anything else. */
function entryText(item: unknown): string {
  const fields = fieldsOf(item);
  const [id, name] = [numberText(fields?.get('id')), fields?.get('name')];
  return id === undefined || typeof name !== 'string' ? '' : `${canonical(id)} ${name}`;
}
