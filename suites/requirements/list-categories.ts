import type { Exchange } from '../../exchanges/exchange.ts';
import { exchangeName } from '../../exchanges/exchange-text.ts';
import { answerOf, headerValues } from '../../exchanges/headers.ts';
import { countOf, quoted, secondsText } from '../../words/text.ts';
import { expectJson, expectStatus, isProblem } from '../evidence/answers.ts';
import type { Creation, List, Seen } from '../evidence/categories.ts';
import { creationsSeen, isPart, lists, listsByExchange } from '../evidence/categories.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { integerOf } from '../evidence/integer.ts';
import { jsonValueText } from '../evidence/json-value-text.ts';
import type { Judgement, Problem } from '../evidence/judgement.ts';
import { fail, inconclusive, judgeEach, pass, unclear, violation, warn } from '../evidence/judgement.ts';
import type { Observable, Requirement } from '../evidence/requirement.ts';
import { factText } from '../model/finding-text.ts';
import {
  creations,
  finalList,
  firstBatch,
  firstCreation,
  LIST_LAG_WINDOWS,
  listAfterCreations,
  secondBatch,
} from '../probes/creations.ts';
import { listPages } from '../probes/list-pages.ts';
import { preflight } from '../probes/preflight.ts';
import { recovery } from '../probes/recovery.ts';

/** Lists well within the limit; at its end any response may mean that the limit is reached, which LIMIT-3 judges. */
const withinLimit = [preflight, firstBatch, listAfterCreations, secondBatch] as const;

function notCategories(evidence: Evidence) {
  return (exchange: Exchange): Problem | undefined => {
    const status = expectStatus(exchange, 200, 'a list');
    if (status !== undefined) return unclear(status.kind === 'unclear' ? status.reason : factText(status));
    const json = expectJson(exchange, 'an array of categories');
    if (isProblem(json)) return json;
    if (!Array.isArray(json.value)) {
      return violation({
        expected: 'a JSON array of categories',
        received: `${jsonValueText(json.value)} in ${exchangeName(exchange)}`,
      });
    }
    return firstBadItem(exchange, evidence.fact(listsByExchange).get(exchange)?.contents.items ?? []);
  };
}

function firstBadItem(exchange: Exchange, items: readonly Seen[]): Problem | undefined {
  for (const [i, { problems }] of items.entries()) {
    const worst = problems.find(({ kind }) => kind === 'violation');
    if (worst !== undefined) {
      return violation({
        expected: 'a Category as every item of the list',
        received: `${worst.received} in item ${i} of ${exchangeName(exchange)}`,
      });
    }
  }
  return undefined;
}

/** Chapter "List categories". */
export const listCategories: readonly Requirement[] = [
  {
    id: 'LIST-1',
    probes: withinLimit,
    whyItMatters: 'The list is the first request of every client.',
    fix: 'Answer `GET /categories` with 200 and the list, exactly at this path.',
    judge: (evidence) => {
      const exchanges = evidence.of(...withinLimit);
      const keyRejected = exchanges[0] !== undefined && exchanges.length === 1 && rejectsKey(exchanges[0]);
      if (keyRejected) return inconclusive(evidence.whyNothing(preflight), exchanges);
      return judgeEach(exchanges, (exchange) => expectStatus(exchange, 200, 'a list with a valid key'), {
        good: 'List requests with the key, well within the limit, were answered 200',
        none: evidence.whyNothing(preflight),
      });
    },
  },
  {
    id: 'LIST-2',
    probes: withinLimit,
    whyItMatters: 'Generated clients reject the whole list if one item has another shape.',
    fix: 'Write a JSON array at the top level, with a Category for every item: no envelope.',
    judge: (evidence) =>
      judgeEach(evidence.of(...withinLimit, recovery), notCategories(evidence), {
        good: 'Lists well within the limit, and after Retry-After, are JSON arrays of Categories',
        none: evidence.whyNothing(preflight),
      }),
  },
  {
    id: 'LIST-3',
    probes: [firstCreation, creations, listAfterCreations, secondBatch, recovery, finalList, listPages],
    whyItMatters: 'Other clients cannot find a category that is missing from the list.',
    fix: 'List every stored category, from a store that all workers and instances share, and exclude the list from caches.',
    judge: listsAll,
  },
];

const rejectsKey = (exchange: Exchange): boolean => [401, 403].includes(answerOf(exchange)?.status ?? 0);

function listsAll(evidence: Evidence): Judgement {
  const created = creationsSeen(evidence);
  if (created.length === 0) return inconclusive(evidence.whyNothing(firstCreation, creations));
  const all = [...lists(evidence)].sort((a, b) => a.exchange.sent.mono - b.exchange.sent.mono);
  const late: { creation: Creation; first: List }[] = [];
  for (const creation of created) {
    const start = firstAfter(all, creation.exchange.received.mono);
    const first = all[start];
    if (first === undefined)
      return inconclusive('No complete list was received after the last creation.', [creation.exchange]);
    if (holds(first, creation)) continue;
    const after = all.slice(start);
    if (!after.some((list) => holds(list, creation))) return missing(evidence, creation, after);
    late.push({ creation, first });
  }
  const [delayed] = late;
  if (delayed !== undefined) {
    return warn(
      {
        expected: `the category created in ${exchangeName(delayed.creation.exchange)} in the first list after it`,
        received: `a list without it in ${exchangeName(delayed.first.exchange)}`,
        reasoning:
          'A later list contains it. The specification does not say how soon a category is listed, but workers with separate stores show the same.',
      },
      [delayed.creation.exchange, delayed.first.exchange],
    );
  }
  const gone = vanished(created, all);
  if (gone !== undefined) return gone;
  return pass(
    comparedText(created, all),
    created.map(({ exchange }) => exchange),
  );
}

/** Exactly which categories were compared, in which lists, and by which fields. */
function comparedText(created: readonly Creation[], all: readonly List[]): string {
  const last = all.at(-1);
  const again =
    last === undefined || isPart(last)
      ? ''
      : ` The last list (${exchangeName(last.exchange)}) contains each of them by name or id.`;
  const inPages = last?.lastPage === undefined ? '' : ' Its pages were put together as one list.';
  const numbers = created.map(({ exchange }) => exchange.n).join(', ');
  return `${countOf(created.length, 'category was', 'categories were')} compared (created in ${created.length === 1 ? 'exchange' : 'exchanges'} ${numbers}): the first list after each creation contains it with the name and description that were sent and the id of its 201.${again}${inPages} Creations that the specification leaves open were not compared.`;
}

/**
 * What an earlier list contains and the last one does not. The specification
 * shows no way to delete a category, and no lifecycle of one either, so a
 * service may drop categories on purpose.
 */
function vanished(created: readonly Creation[], all: readonly List[]): Judgement | undefined {
  const last = all.at(-1);
  if (last === undefined || isPart(last)) return undefined;
  const gone = created.filter(
    ({ exchange, sent, seen }) =>
      exchange.received.mono <= last.exchange.sent.mono &&
      last.contents.named(sent.name).length === 0 &&
      last.contents.numbered(seen?.id).length === 0,
  );
  const [one] = gone;
  if (one === undefined) return undefined;
  const more =
    gone.length > 1
      ? ` ${countOf(gone.length - 1, 'other created category is', 'other created categories are')} missing, too.`
      : '';
  return warn(
    {
      expected: `the category created in ${exchangeName(one.exchange)} in the last list, as in an earlier one`,
      received: `a list of ${countOf(last.contents.items.length, 'item')} without it in ${exchangeName(last.exchange)}`,
      reasoning: `The specification shows no way to delete a category, and does not say how long one lasts.${more}`,
    },
    [one.exchange, last.exchange],
  );
}

/** The index of the first list that was requested at this moment or later; `all` is in the order of sending. */
function firstAfter(all: readonly List[], mono: number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((all[middle]?.exchange.sent.mono ?? mono) < mono) low = middle + 1;
    else high = middle;
  }
  return low;
}

const holds = ({ contents }: List, { sent, seen }: Creation): boolean =>
  contents
    .named(sent.name)
    .some(
      (item) =>
        (sent.description === undefined || item.description === sent.description) &&
        (seen?.id === undefined || item.id === seen.id),
    );

function missing(evidence: Evidence, creation: Creation, after: readonly List[]): Judgement {
  const last = after.at(-1) as List;
  const { items } = last.contents;
  const page = after.find(isPart);
  const near = items.find((item) => item.name === creation.sent.name || item.id === creation.seen?.id);
  if (page !== undefined && near === undefined) {
    return inconclusive(
      `The category created in ${exchangeName(creation.exchange)} is in no later list, but ${exchangeName(page.exchange)} is marked as one page of several. The specification does not show how to request other pages.`,
      [creation.exchange, page.exchange],
    );
  }
  if (!evidence.finished && near === undefined) {
    return inconclusive(
      `The category created in ${exchangeName(creation.exchange)} is in no later list, but the run broke off before the list was requested once more. The specification does not say how soon a category is listed.`,
      [creation.exchange, last.exchange],
    );
  }
  const since = last.exchange.sent.mono - creation.exchange.received.mono;
  if (near === undefined && since < LIST_LAG_WINDOWS * evidence.run.limits.minuteSeconds * 1000) {
    return inconclusive(
      `The category created in ${exchangeName(creation.exchange)} is in no later list, but the last one was requested only ${secondsText(since)} later. The specification does not say how soon a category is listed.`,
      [creation.exchange, last.exchange],
    );
  }
  const lists = countOf(after.length, 'later list');
  const received =
    near === undefined
      ? `${lists} without it`
      : `${lists} with id ${jsonValueText(near.id)}, name ${jsonValueText(near.name)} and description ${jsonValueText(near.description)} instead`;
  return fail(
    {
      expected: `the category ${quoted(creation.sent.name)} (id ${jsonValueText(creation.seen?.id)}) created in ${exchangeName(creation.exchange)} in a later list`,
      received: `${received}, the last one of ${countOf(items.length, 'item')} in ${exchangeName(last.exchange)}`,
    },
    [creation.exchange, last.exchange],
  );
}

/** What the specification leaves open about lists. */
export const openLists: readonly Observable[] = [
  {
    id: 'LIST-4',
    probes: withinLimit,
    observe(evidence) {
      const last = lists(evidence).at(-1);
      if (last === undefined) return { value: 'No list was received.' };
      const headers = answerOf(last.exchange)?.headers ?? [];
      const links = headerValues(headers, 'Link').length > 0 ? 'with a Link header' : 'without a Link header';
      return {
        value: `${countOf(last.contents.items.length, 'item')} ${links}, ${orderOf(last.contents.items)}.`,
        exchanges: [last.exchange],
      };
    },
  },
];

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
