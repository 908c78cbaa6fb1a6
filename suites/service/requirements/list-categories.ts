import { countOf } from '../../../kernel/basics/text.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { headersOf, headerValues, statusOf } from '../../../kernel/exchanges/headers.ts';
import { exchangeName, isKeyRejected } from '../../../kernel/exchanges/outcome-kinds.ts';
import { factText } from '../../../kernel/findings/finding-text.ts';
import type { Problem } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, isAdverse, judgeEach } from '../../../kernel/findings/judgement.ts';
import { expectJson, expectStatus, isProblem, isSuccess } from '../evidence/answers.ts';
import type { Seen } from '../evidence/categories.ts';
import { lists, listsByExchange } from '../evidence/categories.ts';
import type { Evidence, Observable, Requirement } from '../evidence/evidence.ts';
import { integerOf, jsonValueText } from '../evidence/json.ts';
import type { ProbeId } from '../probes/index.ts';
import { listsAll } from './list-categories/all-listed.ts';

/** Lists well within the limit; at its end any response may mean that the limit is reached, which LIMIT-3 judges. */
const withinLimit = ['preflight', 'first-batch', 'list-after-creations', 'second-batch'] as const;

const listsWithinLimit = (evidence: Evidence, ...more: readonly ProbeId[]): readonly Exchange[] =>
  evidence.of(...withinLimit, ...more).filter(({ request }) => request.method === 'GET');

/** Beside so many lists that returned 200, a single 500 may be about its moment: HTTP-4 shows it. */
const FEWEST_BESIDE_ACCIDENT = 5;

/** Whether the target had categories that this run did not create: without any, the first list is the only empty one. */
const heldOthers = (evidence: Evidence): boolean =>
  lists(evidence).some(({ exchange, contents }) => {
    const sent = evidence.recorded.filter(({ n, request }) => n < exchange.n && request.method === 'POST');
    return contents.items.length > sent.length;
  });

function notCategories(evidence: Evidence) {
  return (exchange: Exchange): Problem | undefined => {
    const status = expectStatus(exchange, 200, 'a list');
    if (status !== undefined) return isAdverse(status) ? inconclusive(factText(status)) : status;
    const json = expectJson(exchange, 'an array of categories');
    if (isProblem(json)) return json;
    if (!Array.isArray(json.value)) {
      return fail({
        expected: 'a JSON array of categories',
        received: `${jsonValueText(json.value)} in ${exchangeName(exchange)}`,
      });
    }
    const bad = evidence.fact(listsByExchange).get(exchange)?.contents.bad;
    return bad === undefined
      ? undefined
      : fail({
          expected: 'a Category as every item of the list',
          received: `${bad} of ${exchangeName(exchange)}`,
        });
  };
}

export const listCategories: readonly Requirement[] = [
  {
    id: 'LIST-1',
    probes: withinLimit,
    whyItMatters: 'The list is the first request of every client.',
    fix: 'Answer `GET /categories` with 200 and the list, exactly at this path.',
    judge: (evidence) => {
      const exchanges = listsWithinLimit(evidence);
      if (exchanges.length === 1 && exchanges.every(isKeyRejected))
        return inconclusive(evidence.whyNothing('preflight'), exchanges);
      const failed = exchanges.filter((one) => statusOf(one) === 500);
      const answered = exchanges.filter(isSuccess).length;
      const isOnlyEmpty = failed[0] === exchanges[0] && !heldOthers(evidence);
      const isAccident = failed.length === 1 && answered >= FEWEST_BESIDE_ACCIDENT && !isOnlyEmpty;
      const decisive = isAccident ? exchanges.filter((one) => !failed.includes(one)) : exchanges;
      return judgeEach(decisive, (exchange) => expectStatus(exchange, 200, 'a list with a valid key'), {
        good: `List requests with the key, well within the limit, returned 200${isAccident ? ', all but one' : ''}`,
        none: evidence.whyNothing('preflight'),
      });
    },
  },
  {
    id: 'LIST-2',
    probes: withinLimit,
    whyItMatters: 'Generated clients reject the whole list if one item has another shape.',
    fix: 'Write a JSON array at the top level, with a Category for every item.',
    judge: (evidence) =>
      judgeEach(listsWithinLimit(evidence, 'recovery'), notCategories(evidence), {
        good: 'Lists well within the limit, and after Retry-After, are JSON arrays of Categories',
        none: evidence.whyNothing('preflight'),
      }),
  },
  {
    id: 'LIST-3',
    probes: [
      'first-creation',
      'first-batch',
      'creations',
      'list-after-creations',
      'second-batch',
      'recovery',
      'final-list',
      'list-pages',
    ],
    whyItMatters: 'Other clients cannot find a category that is missing from the list.',
    fix: 'List every stored category, from a store that all workers and instances share, and exclude the list from caches.',
    judge: listsAll,
  },
];

export const openLists: Observable = {
  id: 'LIST-4',
  probes: withinLimit,
  observe(evidence) {
    const last = lists(evidence).at(-1);
    if (last === undefined) return { value: 'No list was received.' };
    const headers = headersOf(last.exchange);
    const links = headerValues(headers, 'Link').length > 0 ? 'with a Link header' : 'without a Link header';
    return {
      value: `${countOf(last.contents.items.length, 'item')} ${links}, ${orderOf(last.contents.items)}.`,
      exchanges: [last.exchange],
    };
  },
};

function orderOf(items: readonly Seen[]): string {
  const ids = items.flatMap(({ id }) => {
    const integer = id === undefined ? 'none' : integerOf(id);
    return typeof integer === 'bigint' ? [integer] : [];
  });
  if (ids.length < 2) return 'too few ids to show an order';
  const rising = ids.every((id, i) => i === 0 || (ids[i - 1] as bigint) <= id);
  const falling = ids.every((id, i) => i === 0 || (ids[i - 1] as bigint) >= id);
  if (rising) return 'in ascending order of ids';
  return falling ? 'in descending order of ids' : 'in no order of ids';
}
