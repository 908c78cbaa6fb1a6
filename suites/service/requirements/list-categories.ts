import { capitalized, countOf, quoted, secondsText } from '../../../kernel/basics/text.ts';
import { firstFrom } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import {
  cacheLine,
  headersOf,
  headerValues,
  statesStored,
  statusOf,
} from '../../../kernel/exchanges/headers.ts';
import { exchangeName, isKeyRejected } from '../../../kernel/exchanges/outcome-kinds.ts';
import { factText } from '../../../kernel/findings/finding-text.ts';
import type { Judgement, Problem } from '../../../kernel/findings/judgement.ts';
import {
  fail,
  furtherReasoned,
  inconclusive,
  isAdverse,
  judgeEach,
  pass,
  warn,
} from '../../../kernel/findings/judgement.ts';
import { expectJson, expectStatus, isProblem, isSuccess } from '../evidence/answers.ts';
import type { Contents, Creation, List, Seen, Sighting } from '../evidence/categories.ts';
import { creationsSeen, isOfKeyUnderTest, lists, listsByExchange } from '../evidence/categories.ts';
import type { Evidence, Observable, Requirement } from '../evidence/evidence.ts';
import { integerOf, jsonValueText } from '../evidence/json.ts';
import { isStored } from '../evidence/repeated.ts';
import type { NewCategoryBody } from '../probes/category-requests.ts';
import { LIST_LAG_WINDOWS } from '../probes/creations.ts';
import type { ProbeId } from '../probes/index.ts';
import { MOST_PAGES } from '../probes/lists.ts';
import { carriedBy } from '../probes/stored-values.ts';

/** Lists well within the limit; at its end any response may mean that the limit is reached, which LIMIT-3 judges. */
const withinLimit = ['preflight', 'first-batch', 'list-after-creations', 'second-batch'] as const;

const listsWithinLimit = (evidence: Evidence, ...more: readonly ProbeId[]): readonly Exchange[] =>
  evidence.of(...withinLimit, ...more).filter(({ request }) => request.method === 'GET');

/** Beside so many lists that returned 200, a single 500 may be about its moment: HTTP-4 shows it. */
const FEWEST_BESIDE_ACCIDENT = 5;

/** Whether the target had categories that this run did not create: without any, the first list is the only empty one. */
const heldOthers = (evidence: Evidence): boolean =>
  evidence.fact(lists).some(({ exchange, contents }) => {
    const sent = evidence.recorded.filter(({ n, request }) => n < exchange.n && request.method === 'POST');
    return contents.items.length > sent.length;
  });

function notCategories(exchange: Exchange, evidence: Evidence): Problem | undefined {
  const status = expectStatus(exchange, 200, 'a list');
  if (status !== undefined) return isAdverse(status) ? inconclusive(factText(status)) : status;
  const json = expectJson(exchange, 'an array of categories');
  if (isProblem(json)) return json;
  if (!Array.isArray(json.value))
    return fail({
      expected: 'a JSON array of categories',
      received: `${jsonValueText(json.value)} in ${exchangeName(exchange)}`,
    });
  const bad = evidence.fact(listsByExchange).get(exchange)?.contents.bad;
  return bad === undefined
    ? undefined
    : fail({
        expected: 'a Category as every item of the list',
        received: `${bad} of ${exchangeName(exchange)}`,
      });
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
      judgeEach(listsWithinLimit(evidence, 'recovery'), (exchange) => notCategories(exchange, evidence), {
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
    const last = evidence.fact(lists).at(-1);
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

/** The lists that were requested after a creation was answered, in the order of sending. */
type LaterLists = ReturnType<ReturnType<typeof laterLists>>;

/** By an index that is made once: comparing thousands with thousands takes minutes. @param all in the order of sending. */
function laterLists(all: readonly List[]) {
  const [complete, parts] = [all.filter((list) => !list.isPart), all.filter((list) => list.isPart)];
  const byId = listsBy(all, ({ id }) => id);
  const byName = listsBy(all, ({ name }) => name);
  return ({ exchange, sent, seen }: Creation) => {
    const answered = exchange.received.mono;
    const later = (lists: readonly List[] = []): readonly List[] =>
      lists.slice(firstFrom(lists.length, (at) => (lists[at]?.exchange.sent.mono ?? answered) >= answered));
    return {
      complete: later(complete),
      parts: later(parts),
      /** Those with the id of the creation's 201, or with its name where the 201 shows no id. */
      candidates: later(seen?.id === undefined ? byName.get(sent?.name) : byId.get(seen.id)),
    };
  };
}

/** For each value of their items, the lists that hold it. */
function listsBy<K>(all: readonly List[], keyOf: (item: Seen) => K): ReadonlyMap<K, readonly List[]> {
  const found = new Map<K, List[]>();
  for (const list of all) {
    for (const item of list.contents.items) {
      const holding = found.get(keyOf(item));
      if (holding === undefined) found.set(keyOf(item), [list]);
      else if (holding.at(-1) !== list) holding.push(list);
    }
  }
  return found;
}

/** "all categories" leaves open how soon (`LIST_LAG_WINDOWS`). What is missing from the last list is lost: nothing deletes a category. */
function listsAll(evidence: Evidence): Judgement {
  // Each account may have categories of its own, and only the key under test requests lists for what it created.
  const all = evidence
    .fact(lists)
    .filter(({ exchange }) => isOfKeyUnderTest(exchange))
    .sort((a, b) => a.exchange.sent.mono - b.exchange.sent.mono);
  const created = evidence
    .fact(creationsSeen)
    .filter((one) => isOfKeyUnderTest(one.exchange) && isComparable(one));
  const [one] = created;
  if (one === undefined) return inconclusive(evidence.whyNothing('first-creation', 'creations'));
  const later = laterLists(withoutRepetitions(all, created));
  const found = created.flatMap((creation) => judgeOne(evidence, creation, later(creation)) ?? []);
  const worst =
    found.find(({ verdict }) => verdict === 'fail') ??
    found.find(({ verdict }) => verdict === 'inconclusive') ??
    found[0];
  if (worst === undefined) {
    const exchanges = created.map(({ exchange }) => exchange);
    return pass(comparedText(created, all), exchanges);
  }
  const others = found.filter(({ verdict }) => verdict === worst.verdict).length - 1;
  return others === 0 || !isAdverse(worst)
    ? worst
    : furtherReasoned(
        worst,
        `The same applies to ${countOf(others, 'other category', 'other categories')} of this run.`,
      );
}

/** By the id of its 201, or else by plain texts, because nothing shows how a service stored any other text. */
const isComparable = ({ sent, seen }: Creation): boolean =>
  seen?.id !== undefined || (sent !== undefined && isPlain(sent));

function isPlain(sent: NewCategoryBody): boolean {
  const { name, description } = carriedBy(sent);
  return name === undefined && description === undefined;
}

/** Of consecutive equal lists with no creation between them only the first and the last: a long run has many others, which show nothing more. */
function withoutRepetitions(all: readonly List[], created: readonly Creation[]): readonly List[] {
  const answered = created.map(({ exchange }) => exchange.received.mono).sort((a, b) => a - b);
  const createdBefore = ({ exchange }: List): number =>
    firstFrom(answered.length, (at) => (answered[at] ?? 0) > exchange.sent.mono);
  const repeats = (a: List | undefined, b: List | undefined): boolean =>
    a?.contents === b?.contents &&
    a?.isPart === b?.isPart &&
    a?.lastPage === b?.lastPage &&
    (a && createdBefore(a)) === (b && createdBefore(b));
  return all.filter((list, at) => !repeats(all[at - 1], list) || !repeats(list, all[at + 1]));
}

function judgeOne(evidence: Evidence, creation: Creation, later: LaterLists): Judgement | undefined {
  const { exchange } = creation;
  const { complete, parts, candidates } = later;
  if (complete.length + parts.length === 0)
    return inconclusive('No complete list was received after the last creation.', [exchange]);
  const holding = candidates.filter((list) => holds(list.contents, creation));
  const last = complete.at(-1);
  if (last === undefined) return holding.length > 0 ? undefined : onAnotherPage(creation, parts);
  if (!holding.includes(last)) return missing(evidence, creation, { parts, last, holding });
  const held = new Set(holding);
  const lacking = complete.find((list) => !held.has(list));
  if (lacking === undefined) return undefined;
  return warn({
    expected: `the category created in ${exchangeName(exchange)} in every list after it`,
    received: `a list without it in ${exchangeName(lacking.exchange)}`,
    reasoning: `A later list contains it. ${whyLate(lacking.exchange)}`,
    exchanges: [exchange, lacking.exchange],
  });
}

/** What a list that comes too late for a category is known to come from. */
function whyLate(list: Exchange): string {
  const line = cacheLine(list);
  return isStored(list) || statesStored(list)
    ? `The list is an older one that a cache had stored${line === undefined ? '' : ` (${line})`}.`
    : 'The specification does not say how soon a category is listed, but workers with separate stores show the same.';
}

/** With the id of its 201 and the texts that were sent or shown: CREATE-3 and CAT-4 judge differences. An open one by its id alone. */
function holds(contents: Contents, { sent, seen }: Creation): boolean {
  const candidates = seen?.id === undefined ? contents.named(sent?.name) : contents.numbered(seen.id);
  if (sent === undefined) return candidates.length > 0;
  return candidates.some(
    ({ name, description }) =>
      [sent.name, seen?.name].includes(name) &&
      (sent.description === undefined || [sent.description, seen?.description].includes(description)),
  );
}

/** @param parts lists that say that they are a part: one page, or pages that were joined and do not end. */
function onAnotherPage({ exchange }: Creation, parts: readonly List[]): Judgement {
  const [page] = parts as readonly [List];
  const last = parts.find(({ lastPage }) => lastPage !== undefined)?.lastPage ?? page.exchange;
  return inconclusive(
    `The category created in ${exchangeName(exchange)} is in no later list, but ${exchangeName(last)} states that the list has more. A run requests at most ${MOST_PAGES} pages, where headers name them; a target with fewer categories or longer pages, such as a new staging environment, shows the whole list.`,
    [exchange, last],
  );
}

/** Where others delete, a category moves to a page that was requested before. */
const betweenPages = ({ exchange }: Creation, gone: Sighting, last: List): Judgement =>
  inconclusive(
    `The category created in ${exchangeName(exchange)} is on no page of the list that begins in ${exchangeName(last.exchange)}. But other clients delete categories (id ${jsonValueText(gone.seen.id)} in ${exchangeName(gone.exchange)} is on no page, either), and then others move to a page that was requested before.`,
    [exchange, gone.exchange, last.exchange],
  );

/** The items of a list with the id of this creation's 201, or with its name and no other creation's id. */
function similarItems(evidence: Evidence, { sent, seen }: Creation, { contents }: List): readonly Seen[] {
  const ofOthers = (id: string | undefined): boolean => id !== seen?.id && evidence.fact(idsSeen).has(id);
  const named = [...contents.named(sent?.name), ...contents.named(seen?.name)];
  return [...contents.numbered(seen?.id), ...named.filter(({ id }) => !ofOthers(id))];
}

const idsSeen = (evidence: Evidence): ReadonlySet<string | undefined> =>
  new Set(evidence.fact(creationsSeen).map(({ seen }) => seen?.id));

/** The last whole list lacks the category: lost, or not listed yet. @param holding the later lists that have it. */
function missing(
  evidence: Evidence,
  creation: Creation,
  { parts, last, holding }: { parts: readonly List[]; last: List; holding: readonly List[] },
): Judgement | undefined {
  const { exchange, seen } = creation;
  const { items } = last.contents;
  const [near] = similarItems(evidence, creation, last);
  const shown = holding.at(-1);
  if (near === undefined && shown === undefined && parts.length > 0) return onAnotherPage(creation, parts);
  const created = `The category created in ${exchangeName(exchange)}`;
  if (last.gone !== undefined && last.contents.numbered(seen?.id).length === 0)
    return betweenPages(creation, last.gone, last);
  const sinceMs = last.exchange.sent.mono - exchange.received.mono;
  const isEarly = sinceMs < LIST_LAG_WINDOWS * evidence.limits.minuteSeconds * 1000;
  if (near === undefined && shown === undefined && (isEarly || !evidence.finished)) {
    return inconclusive(
      `${created} is in no later list, but the last one was requested ${secondsText(sinceMs)} later. The specification does not say how soon a category is listed.`,
      [exchange, last.exchange],
    );
  }
  const fact = {
    expected: `the category ${quoted(nameOf(creation))} (id ${jsonValueText(seen?.id)}) created in ${exchangeName(exchange)} in every later list`,
    received:
      near === undefined
        ? `a list of ${countOf(items.length, 'item')} without it in ${exchangeName(last.exchange)}, ${secondsText(sinceMs)} later`
        : `a list with id ${jsonValueText(near.id)}, name ${jsonValueText(near.name)} and description ${jsonValueText(near.description)} instead in ${exchangeName(last.exchange)}`,
    exchanges: [exchange, last.exchange],
  };
  if (shown === undefined) return fail(fact);
  return (isEarly ? warn : fail)({
    ...fact,
    reasoning: `${capitalized(exchangeName(shown.exchange))} had it. The specification shows no way to delete a category. A job that clears the store during the run looks the same.`,
    exchanges: [exchange, shown.exchange, last.exchange],
  });
}

const nameOf = ({ sent, seen }: Creation): string =>
  sent?.name ?? (typeof seen?.name === 'string' ? seen.name : '');

function comparedText(created: readonly Creation[], all: readonly List[]): string {
  const numbers = created.map(({ exchange }) => exchange.n).join(', ');
  const [it, numbered] = created.length === 1 ? ['it', 'exchange'] : ['each of them', 'exchanges'];
  const where = all.some((list) => list.isPart)
    ? 'every later complete list, or else one that is marked as a part,'
    : 'every later list';
  const joined = all.some(({ lastPage }) => lastPage !== undefined)
    ? ' The pages of the last list were put together as one list.'
    : '';
  return `${countOf(created.length, 'category was', 'categories were')} compared (created in ${numbered} ${numbers}): ${where} contains ${it} with the id of its 201 and, where the specification does not leave the body open, the name and description that were sent or that the 201 showed.${joined}`;
}
