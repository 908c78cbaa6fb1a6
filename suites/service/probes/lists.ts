import { completeText } from '../../../kernel/exchanges/body.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { headersOf, nextReference, sameListReference, statusOf } from '../../../kernel/exchanges/headers.ts';
import type { Pacer } from '../pacing/pacer.ts';
import { isListOfKey, listRequest } from './category-requests.ts';
import { creations, firstCreation } from './creations.ts';
import type { Probe } from './probe.ts';

/** The most pages that the run requests: a list of 800 categories where a page has twenty. */
export const MOST_PAGES = 40;

/** How often all pages are requested: items move between pages while other clients create and delete. */
const MOST_TIMES = 2;

/** All pages (RFC 8288), again where they lack a category. A page elsewhere is not requested: the request carries the key. */
export const listPages = {
  id: 'list-pages',
  description: 'the pages of the list, where it comes in pages',
  steps: {
    firstPage: 'first page of the list',
    nextPage: 'next page of the list',
  },
  async run(pacer) {
    const last = pacer.session.exchanges.findLast(isListOfKey);
    if (last === undefined || nextPage(last, pacer) === undefined) return;
    for (let times = 0; times < MOST_TIMES; times += 1) {
      const pages = await requestPages(pacer);
      if (2 * pages.length > MOST_PAGES || showsAllCreations(pages, pacer.session.exchanges)) return;
    }
  },
} as const satisfies Probe;

/** Every page from the first one on, until none is next, one comes again or there are too many. */
async function requestPages(pacer: Pacer): Promise<readonly Exchange[]> {
  const pages: Exchange[] = [];
  const seen = new Set<string>();
  let path: string | undefined = listRequest().path;
  while (path !== undefined && !seen.has(path) && pages.length < MOST_PAGES) {
    seen.add(path);
    const step = pages.length === 0 ? listPages.steps.firstPage : listPages.steps.nextPage;
    const page: Exchange | undefined = await pacer.sendWithKeyAndRetry(step, listRequest({ path }));
    if (page === undefined || !isListOfKey(page)) return pages;
    pages.push(page);
    path = nextPage(page, pacer);
  }
  return pages;
}

/** The path of the next page below the base address; undefined where none is named, or one elsewhere. */
function nextPage(page: Exchange, { session }: Pacer): string | undefined {
  const reference = nextReference(headersOf(page));
  if (reference === undefined) return undefined;
  const next = sameListReference(reference, session.origin, page.request.target);
  return next?.slice(session.basePath.length);
}

/** Compares bytes: the names of a run are ASCII without quotes and backslashes, and no other run has them. */
function showsAllCreations(pages: readonly Exchange[], exchanges: readonly Exchange[]): boolean {
  const texts = pages.flatMap((page) => completeText(page) ?? []);
  return exchanges
    .filter(({ probe }) => probe === firstCreation.id || probe === creations.id)
    .filter((exchange) => statusOf(exchange) === 201)
    .every(({ request }) => {
      const name = /"name":("[^"]*")/.exec(request.body?.text ?? '')?.[1];
      return name === undefined || texts.some((text) => text.includes(name));
    });
}
