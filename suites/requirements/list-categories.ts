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
import { fail, inconclusive, judgeEach, pass, violation, warn } from '../evidence/judgement.ts';
import type { Observable, Requirement } from '../evidence/requirement.ts';
import {
  creations,
  finalList,
  firstBatch,
  firstCreation,
  LIST_LAG_WINDOWS,
  listAfterCreations,
  secondBatch,
} from '../probes/creations.ts';
import { preflight } from '../probes/preflight.ts';
import { recovery } from '../probes/recovery.ts';

/** Lists that are asked well within the limit; at its edge a refusal may take any form, which LIMIT-3 judges. */
const withinLimit = [preflight, firstBatch, listAfterCreations, secondBatch] as const;

function notCategories(evidence: Evidence) {
  return (exchange: Exchange): Problem | undefined => {
    const status = expectStatus(exchange, 200, 'a list');
    if (status !== undefined) return { kind: 'unclear', text: status.text };
    const json = expectJson(exchange, 'an array of categories');
    if (isProblem(json)) return json;
    if (!Array.isArray(json.value)) {
      return violation(
        `Expected a JSON array, but the body of ${exchangeName(exchange)} is ${jsonValueText(json.value)}.`,
      );
    }
    return firstBadItem(exchange, evidence.fact(listsByExchange).get(exchange)?.contents.items ?? []);
  };
}

function firstBadItem(exchange: Exchange, items: readonly Seen[]): Problem | undefined {
  for (const [i, { problems }] of items.entries()) {
    const worst = problems.find(({ problem }) => problem.kind === 'violation');
    if (worst !== undefined) {
      return violation(
        `Expected a Category in every place, but item ${i} of ${exchangeName(exchange)} ${worst.problem.text}.`,
      );
    }
  }
  return undefined;
}

/** Chapter "List categories". */
export const listCategories: readonly Requirement[] = [
  {
    id: 'LIST-1',
    probes: withinLimit,
    whyItMatters: 'The list is the first thing that every client asks for.',
    judge: (evidence) => {
      const exchanges = evidence.of(...withinLimit);
      const limitedKey = exchanges[0] !== undefined && exchanges.length === 1 && rejectsKey(exchanges[0]);
      if (limitedKey) return inconclusive(evidence.whyNothing(preflight), exchanges);
      return judgeEach(exchanges, (exchange) => expectStatus(exchange, 200, 'a list with a valid key'), {
        good: 'Lists that were asked for with the key, well within the limit, answered 200',
        none: evidence.whyNothing(preflight),
      });
    },
  },
  {
    id: 'LIST-2',
    probes: withinLimit,
    whyItMatters: 'Generated clients refuse a whole list for one item of another shape.',
    judge: (evidence) =>
      judgeEach(evidence.of(...withinLimit, recovery), notCategories(evidence), {
        good: 'Lists that were asked for well within the limit, and after Retry-After, are JSON arrays of Categories',
        none: evidence.whyNothing(preflight),
      }),
  },
  {
    id: 'LIST-3',
    probes: [firstCreation, creations, listAfterCreations, secondBatch, recovery, finalList],
    whyItMatters: 'A category that was created and is not listed is lost to everybody but its creator.',
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
      return inconclusive('No whole list came after the last creation.', [creation.exchange]);
    if (holds(first, creation)) continue;
    const after = all.slice(start);
    if (!after.some((list) => holds(list, creation))) return missing(evidence, creation, after);
    late.push({ creation, first });
  }
  const [tardy] = late;
  if (tardy !== undefined) {
    return warn(
      `The category created in ${exchangeName(tardy.creation.exchange)} is missing from the first list after it (${exchangeName(tardy.first.exchange)}) and stands in a later one; the specification promises no instant, but workers that keep a store each show the same.`,
      [tardy.creation.exchange, tardy.first.exchange],
    );
  }
  const gone = vanished(created, all);
  if (gone !== undefined) return gone;
  return pass(
    wholeText(created, all),
    created.map(({ exchange }) => exchange),
  );
}

/** Exactly which categories were looked for, in which lists, and by what. */
function wholeText(created: readonly Creation[], all: readonly List[]): string {
  const last = all.at(-1);
  const again =
    last === undefined || isPart(last)
      ? ''
      : `, and by name or id in the last list (${exchangeName(last.exchange)})`;
  const numbers = created.map(({ exchange }) => exchange.n).join(', ');
  return `${countOf(created.length, 'category was', 'categories were')} looked for (created in ${created.length === 1 ? 'exchange' : 'exchanges'} ${numbers}): each stood in the first list after its creation, with the name and description that were sent and the id of its 201${again}. Creations that the specification leaves open were not looked for.`;
}

/**
 * What stood in a list and is gone from the last one. The specification shows no
 * way to delete a category, and no lifecycle of one either: a service that
 * forgets may mean to.
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
  const more = gone.length > 1 ? ` The same shows in ${countOf(gone.length - 1, 'other creation')}.` : '';
  return warn(
    `The category created in ${exchangeName(one.exchange)} stood in a list and is missing from the last one (${exchangeName(last.exchange)}, with ${countOf(last.contents.items.length, 'item')}); the specification shows no way to delete a category, and does not say how long one lasts.${more}`,
    [one.exchange, last.exchange],
  );
}

/** Where the lists begin that were asked for at this moment or later; `all` is in the order of asking. */
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
      `The category created in ${exchangeName(creation.exchange)} is in no later list, but ${exchangeName(page.exchange)} says that it is a part of the list; the specification does not show how parts are asked for.`,
      [creation.exchange, page.exchange],
    );
  }
  if (!evidence.finished && near === undefined) {
    return inconclusive(
      `The category created in ${exchangeName(creation.exchange)} is in none of the lists after it, and the run broke off before it could be asked for once more; the specification promises no instant.`,
      [creation.exchange, last.exchange],
    );
  }
  const since = last.exchange.sent.mono - creation.exchange.received.mono;
  if (near === undefined && since < LIST_LAG_WINDOWS * evidence.run.limits.minuteSeconds * 1000) {
    return inconclusive(
      `The category created in ${exchangeName(creation.exchange)} is in none of the lists after it, of which the last one was asked for ${secondsText(since)} later; the specification promises no instant.`,
      [creation.exchange, last.exchange],
    );
  }
  const what =
    near === undefined
      ? 'it is in none'
      : `it stands there with id ${jsonValueText(near.id)}, name ${jsonValueText(near.name)} and description ${jsonValueText(near.description)}`;
  return fail(
    `Expected the category ${quoted(creation.sent.name)} (id ${jsonValueText(creation.seen?.id)}) created in ${exchangeName(creation.exchange)} in a later list, but of ${countOf(after.length, 'later list')} ${what}; the last one is ${exchangeName(last.exchange)} with ${countOf(items.length, 'item')}.`,
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
      if (last === undefined) return { value: 'No list was seen.' };
      const headers = answerOf(last.exchange)?.headers ?? [];
      const links = headerValues(headers, 'Link').length > 0 ? 'with a Link header' : 'without a Link header';
      return {
        value: `${countOf(last.contents.items.length, 'item')} ${links}; ${orderOf(last.contents.items)}.`,
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
  if (ids.length < 2) return 'too few ids to tell an order';
  const rising = ids.every((id, i) => i === 0 || (ids[i - 1] as bigint) <= id);
  const falling = ids.every((id, i) => i === 0 || (ids[i - 1] as bigint) >= id);
  if (rising) return 'ids rise';
  return falling ? 'ids fall' : 'no order by id';
}
