import { stringify } from 'lossless-json';
import { completeText } from '../../../kernel/exchanges/body.ts';
import { groupedBy } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { isDocumentedOperation } from '../../../kernel/exchanges/exchange.ts';
import {
  answerOf,
  headersOf,
  headerValue,
  headerValues,
  namesNext,
} from '../../../kernel/exchanges/headers.ts';
import type { JudgedHeader } from '../../../kernel/exchanges/judged-headers.ts';
import { NEXT_PAGE, PAGE_COUNTS, PAGINATION, TOTALS } from '../../../kernel/exchanges/judged-headers.ts';
import type { NewCategoryBody } from '../probes/category-requests.ts';
import { SHORTEST_NAME } from '../probes/category-requests.ts';
import type { ProbeId } from '../probes/index.ts';
import { documented } from './answers.ts';
import type { Evidence } from './evidence.ts';
import { bodyFields, canonical, fieldsOf, jsonIn, numberText } from './json.ts';
import { categoryProblems } from './schemas.ts';

export type Seen = ReturnType<typeof seen>;

export interface Sighting {
  readonly exchange: Exchange;
  readonly seen: Seen;
}

/** A list that arrived whole. */
export interface List {
  readonly exchange: Exchange;
  readonly contents: Contents;
  readonly isPart: boolean;
  /** The last of its pages, where it came in several. */
  readonly lastPage?: Exchange;
  /** Where it came in pages: an item of another client that an earlier list had and no page has. */
  readonly gone?: Sighting | undefined;
}

/** What a list holds. Lists with the same body share it: a run sees one list dozens of times, and it may be long. */
export type Contents = ReturnType<typeof contentsOf>;

function contentsOf(items: readonly Seen[]) {
  const byName = groupedBy(items, ({ name }) => name);
  const byId = groupedBy(items, ({ id }) => id);
  return {
    items,
    /** What is wrong with the first item that is no category. */
    bad: items.flatMap(({ problems }, i) =>
      problems.filter(({ kind }) => kind === 'violation').map(({ received }) => `${received} in item ${i}`),
    )[0],
    named: (name: unknown): readonly Seen[] => byName.get(name) ?? [],
    numbered: (id: string | undefined): readonly Seen[] => byId.get(id) ?? [],
  };
}

/** The first of these lists for each contents, in their order. */
export const withoutRepeated = (all: readonly List[]): readonly List[] =>
  [...groupedBy(all, ({ contents }) => contents).values()].map(([first]) => first);

const PAGING: ReadonlySet<string> = new Set(
  [...NEXT_PAGE, ...PAGE_COUNTS, ...TOTALS, PAGINATION, 'Link', 'Content-Range'].map((name) =>
    name.toLowerCase(),
  ),
);

/** Whether a response says that these pages are a part of a list: it names a next one (RFC 8288), or counts more of them, or more items. */
function saysPart(page: Exchange, items: readonly Seen[], pages = 1): boolean {
  const headers = headersOf(page);
  // Nearly every response has none of them.
  if (!headers.some(([name]) => PAGING.has(name.toLowerCase()))) return false;
  const valuesOf = (names: readonly JudgedHeader[]): readonly string[] =>
    names.map((name) => headerValue(headers, name) ?? '');
  const facts = [...(headerValue(headers, PAGINATION) ?? '').matchAll(/"(\w{1,20})"\s*:\s*"?(\w{1,20})/g)];
  const named = (name: RegExp): readonly string[] =>
    facts.flatMap(([, key = '', value = '']) => (name.test(key) ? [value] : []));
  const range = /\/([0-9]+|\*)$/.exec(headerValue(headers, 'Content-Range') ?? '')?.[1] ?? '';
  return (
    headerValues(headers, 'Link').some(namesNext) ||
    range === '*' ||
    [...valuesOf(NEXT_PAGE), ...named(/^has_?(next|more)/i)].some((value) => !NOTHING_NEXT.test(value)) ||
    [...valuesOf(PAGE_COUNTS), ...named(/^(total_?pages|page_?count)$/i)].some((count) =>
      exceeds(count, pages),
    ) ||
    [range, ...valuesOf(TOTALS), ...named(/^total(_?(count|items))?$/i)].some((total) =>
      exceeds(total, items.length),
    )
  );
}

/** How a header states that no page follows. */
const NOTHING_NEXT = /^(false|no|0|null|none)?$/i;

const exceeds = (count: string, most: number): boolean => /^[0-9]{1,15}$/.test(count) && Number(count) > most;

/** Where the pages are complete, without the parts, which say nothing more. @param isOwn whether this run created the item. */
function withPagesJoined(all: readonly List[], isOwn: (item: Seen) => boolean): readonly List[] {
  const pages = all.filter(({ exchange }) => exchange.probe === 'list-pages');
  const [first] = pages;
  const last = pages.at(-1);
  if (first === undefined || last === undefined) return all;
  const contents = contentsOf(eachOnce(pages.flatMap((page) => page.contents.items)));
  const gone = goneItem(all, contents, isOwn);
  const targets = new Set(pages.map(({ exchange }) => exchange.request.target));
  const isPart = saysPart(last.exchange, contents.items, targets.size);
  const others = all.filter((list) => list.exchange.probe !== 'list-pages' && (isPart || !list.isPart));
  return [...others, { exchange: first.exchange, contents, isPart, lastPage: last.exchange, gone }];
}

/** Of another client: where items are deleted, those behind them move forward, maybe to a page that had been read before. */
function goneItem(
  all: readonly List[],
  joined: Contents,
  isOwn: (item: Seen) => boolean,
): Sighting | undefined {
  for (const { exchange, contents } of withoutRepeated(all)) {
    const seen = contents.items.find((item) => !isOwn(item) && joined.numbered(item.id).length === 0);
    if (seen !== undefined) return { exchange, seen };
  }
  return undefined;
}

/** An item that moved to another page while the pages were requested stands in both. */
const eachOnce = (items: readonly Seen[]): readonly Seen[] =>
  [...groupedBy(items, ({ id, name, description }) => JSON.stringify([id, name, description])).values()].map(
    ([first]) => first,
  );

/** A creation that returned 201: what was sent and what came back. */
export interface Creation {
  readonly exchange: Exchange;
  /** What was sent; undefined where the specification leaves open how the body is read. */
  readonly sent: NewCategoryBody | undefined;
  /** The category in the 201; undefined where its body cannot be read as JSON. */
  readonly seen: Seen | undefined;
}

/** Every 200 list of the run that is a JSON array. */
export const lists = (evidence: Evidence): readonly List[] =>
  withPagesJoined(
    documented(evidence, 200).flatMap((exchange) => evidence.fact(listsByExchange).get(exchange) ?? []),
    ({ id, name }) => evidence.fact(idsCreated).has(id) || evidence.fact(namesSent).has(name),
  );

const idsCreated = (evidence: Evidence): ReadonlySet<string | undefined> =>
  new Set(evidence.fact(created).map(({ seen }) => seen.id));

/** The names of every creation that was sent, whatever its answer. */
const namesSent = (evidence: Evidence): ReadonlySet<unknown> =>
  new Set(evidence.exchanges.map((exchange) => sentCategory(exchange)?.name));

/** The same by the exchange that shows it. */
export function listsByExchange(evidence: Evidence): ReadonlyMap<Exchange, List> {
  // By the text and not by the object that holds it: a journal read twice must be judged to the same byte.
  const known = new Map<string, Contents>();
  const found = new Map<Exchange, List>();
  for (const exchange of evidence.answered(200)) {
    const text = completeText(exchange);
    if (text === undefined || exchange.request.method !== 'GET' || !isDocumentedOperation(exchange)) continue;
    const value = jsonValue(exchange);
    if (!Array.isArray(value)) continue;
    const contents = known.get(text) ?? contentsOf(value.map((one: unknown) => seen(evidence, one)));
    known.set(text, contents);
    found.set(exchange, { exchange, contents, isPart: saysPart(exchange, contents.items) });
  }
  return found;
}

/** Whether the key under test sent it, in whatever presentation. */
export const isOfKeyUnderTest = ({ caller }: Exchange): boolean =>
  caller === 'key' || caller === 'unspecified';

/** Those that returned 201, in the order of the journal. */
export const creationsSeen = (evidence: Evidence): readonly Creation[] =>
  documented(evidence, 201).flatMap((exchange) => {
    const { probe, caller, request } = exchange;
    if (request.method !== 'POST' || caller === 'unauthenticated' || INVALID.has(probe)) return [];
    const sent = probe === 'open-creations' ? undefined : sentCategory(exchange);
    return [{ exchange, sent, seen: createdBy(evidence, exchange) }];
  });

/** The probes whose creations have invalid bodies. */
const INVALID: ReadonlySet<string> = new Set<ProbeId>(['rejections', 'target-check']);

/** The category that an answer shows as its body; undefined where the body cannot be read as JSON. */
export function createdBy(evidence: Evidence, exchange: Exchange): Seen | undefined {
  const value = jsonValue(exchange);
  return value === undefined ? undefined : seen(evidence, value);
}

/** What every 201 showed, to whatever creation. */
export const created = (evidence: Evidence): readonly Sighting[] =>
  documented(evidence, 201).flatMap((exchange) => {
    const shown = createdBy(evidence, exchange);
    return shown === undefined ? [] : [{ exchange, seen: shown }];
  });

/** Every category of the run: those of a 201, and the items of lists, once for each body. */
export function sightings(evidence: Evidence): readonly Sighting[] {
  const listed = withoutRepeated(evidence.fact(lists)).flatMap(({ exchange, contents }) =>
    contents.items.map((item) => ({ exchange, seen: item })),
  );
  return [...evidence.fact(created), ...listed];
}

/** The name and description that a creation sent; undefined where its body is no object with a name. */
export function sentCategory(exchange: Exchange): NewCategoryBody | undefined {
  const fields = bodyFields(exchange.request.body);
  const name = fields?.get('name');
  const description = fields?.get('description');
  if (typeof name !== 'string') return undefined;
  return { name, description: typeof description === 'string' ? description : undefined };
}

/** The names that exactly one creation of the run sent, whatever the answer. */
export function namesSentOnce(evidence: Evidence): ReadonlySet<string> {
  const sent = evidence.exchanges.filter(({ request }) => request.method === 'POST').map(sentCategory);
  const byName = groupedBy(sent, (category) => category?.name ?? '');
  const once = [...byName].filter(([name, all]) => all.length === 1 && name.length >= SHORTEST_NAME);
  return new Set(once.map(([name]) => name));
}

function seen(evidence: Evidence, value: unknown) {
  const fields = fieldsOf(value);
  const id = numberText(fields?.get('id'));
  return {
    value,
    problems: categoryProblems(value),
    /** As text, so that no digit is lost, and in one form for one integer; undefined where it is no number. */
    id: id === undefined ? undefined : canonical(id),
    name: shared(evidence, fields?.get('name')),
    description: shared(evidence, fields?.get('description')),
  };
}

/** The same object for the same JSON value, so that a number in place of a text can be compared like a text. */
function shared(evidence: Evidence, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const text = stringify(value) ?? '';
  const known = evidence.fact(valuesByText);
  if (!known.has(text)) known.set(text, value);
  return known.get(text);
}

const valuesByText = (): Map<string, unknown> => new Map();

const jsonValue = (exchange: Exchange): unknown =>
  completeText(exchange) === undefined ? undefined : jsonIn(answerOf(exchange)?.body);
