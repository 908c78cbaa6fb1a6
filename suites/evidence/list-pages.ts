import { listPages } from '../probes/list-pages.ts';
import type { Contents, List, Seen, Sighting } from './categories.ts';

/** How lists are read: what a list holds by its items, and whether it says that it is a part. */
export interface ListReading {
  readonly contentsOf: (items: readonly Seen[]) => Contents;
  readonly isPart: (list: List) => boolean;
  /** Whether this run created the item. */
  readonly isOwn: (item: Seen) => boolean;
}

/**
 * The lists of a run with those put together that came in pages (`list-pages`).
 * Where that one is complete, the parts say nothing more about what a list
 * lacks, and are left out.
 */
export function withPagesJoined(
  all: readonly List[],
  { contentsOf, isPart, isOwn }: ListReading,
): readonly List[] {
  const pages = all.filter(({ exchange }) => exchange.probe === listPages.id);
  const [first] = pages;
  const last = pages.at(-1);
  if (first === undefined || last === undefined) return all;
  const contents = contentsOf(eachOnce(pages.flatMap((page) => page.contents.items)));
  const gone = goneItem(all, contents, isOwn);
  const joined: List = {
    exchange: first.exchange,
    contents,
    lastPage: last.exchange,
    ...(gone === undefined ? {} : { gone }),
  };
  const others = all.filter(({ exchange }) => exchange.probe !== listPages.id);
  return [...(isPart(joined) ? others : others.filter((list) => !isPart(list))), joined];
}

/**
 * An item of another client that an earlier list had and the joined pages lack.
 * Where items are deleted, those behind them move forward, maybe to a page that
 * had been read before.
 */
const goneItem = (
  all: readonly List[],
  joined: Contents,
  isOwn: ListReading['isOwn'],
): Sighting | undefined => {
  const known = new Set<Contents>();
  for (const { exchange, contents } of all) {
    if (known.has(contents)) continue;
    known.add(contents);
    const seen = contents.items.find((item) => !isOwn(item) && joined.numbered(item.id).length === 0);
    if (seen !== undefined) return { exchange, seen };
  }
  return undefined;
};

/** An item that moved to another page while the pages were requested stands in both. */
function eachOnce(items: readonly Seen[]): readonly Seen[] {
  const known = new Map<string, Seen>();
  for (const item of items) {
    const key = JSON.stringify([item.id ?? null, item.name ?? null, item.description ?? null]);
    if (!known.has(key)) known.set(key, item);
  }
  return [...known.values()];
}
