import type { ListCache } from '../wrappers/caching.ts';
import { cachingLists } from '../wrappers/caching.ts';
import type { Applies } from '../wrappers/responses.ts';
import {
  always,
  changingItems,
  changingText,
  editing,
  failing,
  firstItems,
  inPages,
  isList,
  mapIds,
  onResponse,
  remembering,
  showsCategories,
  textOf,
  withItems,
  withLines,
  withText,
} from '../wrappers/responses.ts';
import type { StatedFault, StatedFaults } from './fault.ts';

/** How long a creation takes where concurrent ones are lost, and how long before its response it is complete. */
const CREATION_MS = 12;
const TIMER_SLACK_MS = 2;

const PAGE = 3;

const isEmptyList: Applies = (response, request) => isList(response, request) && textOf(response) === '[]';

/** Faults of the chapter "List categories". */
export const listCategories: StatedFaults = {
  'list-206': {
    description: 'The list gets 206 Partial Content although it is complete.',
    breaks: ['LIST-1'],
    seenIn: 'paginating frameworks such as PostgREST and API Platform',
    ...editing(isList, { status: 206 }),
  },
  'list-in-envelope': {
    description: 'The list is wrapped in an object: {"data": […]}.',
    breaks: ['LIST-2'],
    seenIn: 'Laravel resources, Strapi, every JSON:API server',
    ...changingText(isList, (text) => `{"data":${text}}`),
  },
  'null-in-list': {
    description: 'The first item of the list is null.',
    breaks: ['LIST-2'],
    seenIn: 'arrays filled by index from a sparse store',
    ...changingItems((items) => [null, ...items]),
  },
  'list-rounds-ids': {
    description: 'Ids beyond 2^53 are exact in the 201 response and rounded to a double in the list.',
    breaks: ['LIST-3', 'CAT-4'],
    seenIn: 'JavaScript between the database and the client; tornado#2908',
    ...onResponse(showsCategories, (response) => {
      const exact = (id: string): bigint => 2n ** 53n + 2n * BigInt(id) + 1n;
      const shown = (id: string): string => String(response.status === 201 ? exact(id) : Number(exact(id)));
      return withText(response, mapIds(textOf(response), shown));
    }),
  },
  'empty-list-404': {
    description: 'An empty list gets 404.',
    breaks: ['LIST-1'],
    seenIn: 'handlers that treat an empty result as a missing resource',
    ...failing(isEmptyList, 404),
  },
  'foreign-items-in-list': {
    description: 'The last item of the list is not a category but a cursor.',
    breaks: ['LIST-2', 'CAT-1', 'CAT-2'],
    seenIn: 'pagination data inside the list itself',
    ...changingItems((items) => [...items, { next: null }]),
  },
  'list-shortens-names': {
    description: 'The list shows only the first sixteen characters of every name.',
    breaks: ['LIST-3', 'CAT-4'],
    seenIn: 'columns of limited length in a read model',
    ...changingItems((items) => items.map((item) => ({ ...item, name: String(item['name']).slice(0, 16) }))),
  },
  'list-shows-everything-twice': {
    description: 'The list contains every category twice.',
    violates: 'LIST-3',
    undecidable:
      'The list contains all categories, as the specification requires, and each item is correct. The specification does not say that each category appears only once.',
    seenIn: 'joins that multiply rows',
    ...changingItems((items) => [...items, ...items]),
  },

  // Faults of lists that lack categories, for whatever reason.
  'list-stops-at-twenty': {
    description: 'The list contains only the first twenty categories, without a sign that there are more.',
    breaks: ['LIST-3'],
    seenIn: 'the default size of a page in Spring Data, without the envelope',
    ...changingItems((items) => items.slice(0, 20)),
  },
  'list-forgets-the-oldest': {
    description: 'After half a window, the list no longer contains the three oldest categories.',
    breaks: ['LIST-3'],
    seenIn: 'a cache with a time to live used as the store; a worker that restarts with an old copy',
    ...remembering(always, ({ now, plans }) => {
      let firstAt = Number.POSITIVE_INFINITY;
      return (response, request) => {
        if (response.status === 201) firstAt = Math.min(firstAt, now());
        const forgotten = now() >= firstAt + 500 * plans.minuteSeconds;
        return forgotten && isList(response, request)
          ? withItems(response, (items) => items.slice(3))
          : response;
      };
    }),
  },
  'concurrent-creations-lost': {
    description: 'Of two simultaneous creations, one gets 201 but is not stored.',
    breaks: ['LIST-3'],
    seenIn: 'files rewritten as a whole by every request; lost updates on one JSON column',
    // A creation takes a while; when it is complete, it overwrites any that arrived in that time.
    ...remembering(always, ({ now }) => {
      const lost = new Set<string>();
      let busyUntil = Number.NEGATIVE_INFINITY;
      return (response, request) => {
        if (response.status === 201) {
          if (now() < busyUntil) lost.add(String(JSON.parse(textOf(response)).id));
          busyUntil = now() + CREATION_MS - TIMER_SLACK_MS;
          return { ...response, delayMs: CREATION_MS };
        }
        if (lost.size === 0 || !isList(response, request)) return response;
        return withItems(response, (items) => items.filter(({ id }) => !lost.has(String(id))));
      };
    }),
  },

  // Faults of lists that come in pages: what the pages together lack.
  'page-counts-itself': {
    description: `The list contains only the first ${PAGE} categories, and X-Total counts no others.`,
    breaks: ['LIST-3'],
    seenIn: 'a total that is computed behind LIMIT instead of beside it',
    ...onResponse(isList, (response) => {
      const { shown, all } = firstItems(response, PAGE);
      return withLines(shown, ['X-Total', `${Math.min(all, PAGE)}`]);
    }),
  },
  'second-page-lacks-categories': {
    description: `The list has pages of ${PAGE} categories, and the second one lacks its first two.`,
    breaks: ['LIST-3'],
    seenIn: 'a cursor that names the last category of a page and is compared with a later one',
    ...inPages({ size: PAGE, firstItem: (page) => (page - 1) * PAGE + (page === 2 ? 2 : 0) }),
  },

  // Faults of a cache in front of the limiter: requests are accepted that the limiter never sees.
  'lists-from-a-cache': cached('Lists come from a cache for three seconds, with Age and X-Cache.', {
    lifetime: 1 / 20,
    lines: (age) => ({ Age: String(age), 'X-Cache': 'HIT' }),
    date: 'stored',
  }),
  'lists-from-a-cache-without-a-trace': cached('Lists come from a cache for ten seconds, unchanged.', {
    lifetime: 1 / 6,
    lines: () => ({}),
    date: 'stored',
  }),
  'lists-from-a-cache-with-a-new-date': cached('Lists come from a cache for five seconds, with a new Date.', {
    lifetime: 1 / 12,
    lines: (age) => ({ Age: String(age), Via: '1.1 varnish' }),
    date: 'present',
  }),
};

function cached(description: string, cache: ListCache): StatedFault {
  return {
    description,
    breaks: ['RATE-7', 'LIMIT-1'],
    warnings: ['LIST-3'],
    seenIn:
      'a gateway or a content delivery network with a minimum time to live for GET, in front of the limiter',
    ...cachingLists(cache),
  };
}
