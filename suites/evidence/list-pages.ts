import { listPages } from '../probes/list-pages.ts';
import type { Contents, List, Seen } from './categories.ts';

/** How lists are read: what a list holds by its items, and whether it says that it is a part. */
export interface ListReading {
  readonly contentsOf: (items: readonly Seen[]) => Contents;
  readonly isPart: (list: List) => boolean;
}

/**
 * The lists of a run with those put together that came in pages (`list-pages`).
 * Where that one is complete, the parts say nothing more about what a list
 * lacks, and are left out.
 */
export function withPagesJoined(all: readonly List[], { contentsOf, isPart }: ListReading): readonly List[] {
  const pages = all.filter(({ exchange }) => exchange.probe === listPages.id);
  const [first] = pages;
  const last = pages.at(-1);
  if (first === undefined || last === undefined) return all;
  const contents = contentsOf(eachOnce(pages.flatMap((page) => page.contents.items)));
  const joined: List = { exchange: first.exchange, contents, lastPage: last.exchange };
  const others = all.filter(({ exchange }) => exchange.probe !== listPages.id);
  return [...(isPart(joined) ? others : others.filter((list) => !isPart(list))), joined];
}

/** An item that moved to another page while the pages were requested stands in both. */
function eachOnce(items: readonly Seen[]): readonly Seen[] {
  const known = new Map<string, Seen>();
  for (const item of items) {
    const key = JSON.stringify([item.id ?? null, item.name ?? null, item.description ?? null]);
    if (!known.has(key)) known.set(key, item);
  }
  return [...known.values()];
}
