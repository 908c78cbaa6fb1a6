import { groupedBy } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { headersOf, headerValue, headerValues } from '../../../kernel/exchanges/headers.ts';
import { namesNext } from '../../../kernel/exchanges/link-header.ts';
import { listPages } from '../probes/list-pages.ts';
import type { Json } from './json.ts';
import type { FieldProblem } from './schemas.ts';

/** A category as it stood in an answer. */
export interface Seen {
  readonly json: Json;
  /** The id as text, so that no digit is lost, and in one form for one integer; undefined where it is no number. */
  readonly id: string | undefined;
  readonly name: unknown;
  readonly description: unknown;
  /** What the schema says against it. */
  readonly problems: readonly FieldProblem[];
}

/** A category, and the exchange that shows it. */
export interface Sighting {
  readonly exchange: Exchange;
  readonly seen: Seen;
}

/** A list that arrived whole. */
export interface List {
  readonly exchange: Exchange;
  readonly contents: Contents;
  /** The last of its pages, where it came in several. */
  readonly lastPage?: Exchange;
  /** Where it came in pages: an item of another client that an earlier list had and no page has. */
  readonly gone?: Sighting | undefined;
}

/** What a list holds. Lists with the same body share it: a run sees one list dozens of times, and it may be long. */
export class Contents {
  readonly items: readonly Seen[];
  readonly #named: ReadonlyMap<unknown, readonly Seen[]>;
  readonly #numbered: ReadonlyMap<unknown, readonly Seen[]>;

  constructor(items: readonly Seen[]) {
    this.items = items;
    this.#named = groupedBy(items, ({ name }) => name);
    this.#numbered = groupedBy(items, ({ id }) => id);
  }

  /** Every item with this name. */
  named(name: unknown): readonly Seen[] {
    return this.#named.get(name) ?? [];
  }

  /** Every item with this id. */
  numbered(id: string | undefined): readonly Seen[] {
    return this.#numbered.get(id) ?? [];
  }
}

/** The first of these lists for each contents, in their order. */
export const withoutRepeated = (all: readonly List[]): readonly List[] =>
  [...groupedBy(all, ({ contents }) => contents).values()].map(([first]) => first);

/** Whether a list says that it is a part: it names a next page (RFC 8288), or counts more items than it holds. */
export function isPart({ exchange, contents, lastPage = exchange }: List): boolean {
  const headers = headersOf(lastPage);
  const total = headerValue(headers, 'X-Total-Count') ?? '';
  const next = headerValues(headers, 'Link').some(namesNext);
  return next || (/^[0-9]{1,15}$/.test(total) && Number(total) > contents.items.length);
}

/**
 * The lists of a run with those put together that came in pages (`list-pages`).
 * Where that one is complete, the parts say nothing more about what a list
 * lacks, and are left out.
 * @param isOwn whether this run created the item.
 */
export function withPagesJoined(all: readonly List[], isOwn: (item: Seen) => boolean): readonly List[] {
  const pages = all.filter(({ exchange }) => exchange.probe === listPages.id);
  const [first] = pages;
  const last = pages.at(-1);
  if (first === undefined || last === undefined) return all;
  const contents = new Contents(eachOnce(pages.flatMap((page) => page.contents.items)));
  const gone = goneItem(all, contents, isOwn);
  const joined = { exchange: first.exchange, contents, lastPage: last.exchange, gone };
  const others = all.filter(({ exchange }) => exchange.probe !== listPages.id);
  return [...(isPart(joined) ? others : others.filter((list) => !isPart(list))), joined];
}

/**
 * An item of another client that an earlier list had and the joined pages lack.
 * Where items are deleted, those behind them move forward, maybe to a page that
 * had been read before.
 */
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
