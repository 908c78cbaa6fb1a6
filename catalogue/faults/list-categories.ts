import type { Seams } from '../../reference-server/seams.ts';
import {
  asError,
  isList,
  mapIds,
  onResponse,
  showsCategories,
  textOf,
  withItems,
  withoutHeaders,
  withText,
} from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';

/** How long a creation takes where concurrent ones are lost, and how long before its answer it is over. */
const CREATION_MS = 12;
const TIMER_SLACK_MS = 2;

/** Faults of the chapter "List categories". */
export const listCategories: readonly Fault[] = [
  {
    id: 'list-206',
    description: 'The list is answered 206 Partial Content although it is whole.',
    breaks: ['LIST-1'],
    seenIn: 'paginating frameworks such as PostgREST and API Platform',
    ...onResponse(isList, (response) => ({ ...response, status: 206 })),
  },
  {
    id: 'empty-list-204',
    description: 'An empty list is answered 204 without a body.',
    breaks: ['LIST-1'],
    seenIn: 'controllers that turn an empty result into No Content, as ASP.NET Core does for null',
    ...onResponse(
      (response, request) => isList(response, request) && textOf(response) === '[]',
      (response) => ({
        ...withoutHeaders(response, 'Content-Type', 'Content-Length'),
        status: 204,
        body: new Uint8Array(),
      }),
    ),
  },
  {
    id: 'list-in-envelope',
    description: 'The list is wrapped in an object: {"data": […]}.',
    breaks: ['LIST-2'],
    seenIn: 'Laravel resources, Strapi, every JSON:API server',
    ...onResponse(isList, (response) => withText(response, `{"data":${textOf(response)}}`)),
  },
  {
    id: 'null-in-list',
    description: 'The first item of the list is null.',
    breaks: ['LIST-2'],
    seenIn: 'arrays filled by index from a sparse store',
    ...onResponse(isList, (response) => withItems(response, (items) => [null, ...items])),
  },
  {
    id: 'created-never-listed',
    description: 'Of the categories that are created every second one never appears in the list.',
    breaks: ['LIST-3'],
    seenIn: 'lists that each worker of a cluster keeps for itself',
    ...onResponse(isList, (response) =>
      withItems(response, (items) => items.filter((_, index) => index % 2 === 1)),
    ),
  },
  {
    id: 'list-frozen',
    description: 'The list is served as it was when it was first asked for.',
    breaks: ['LIST-3'],
    seenIn: 'application caches without invalidation',
    wrapStore(store) {
      let frozen: string | undefined;
      return {
        ...store,
        listJson() {
          frozen ??= store.listJson();
          return frozen;
        },
      };
    },
  },
  {
    id: 'list-lags-behind',
    description: 'A created category appears only in the second list after its creation.',
    breaks: [],
    warnings: ['LIST-3'],
    seenIn: 'read replicas',
    wrapStore(store) {
      let previous = '[]';
      return {
        ...store,
        listJson() {
          const shown = previous;
          previous = store.listJson();
          return shown;
        },
      };
    },
  },
  {
    id: 'list-without-descriptions',
    description: 'The list leaves out every description.',
    breaks: ['LIST-3', 'CAT-4'],
    seenIn: 'summary views served where the resource was promised',
    ...onResponse(isList, (response) =>
      withItems(response, (items) => items.map(({ id, name }) => ({ id, name }))),
    ),
  },
  {
    id: 'list-rounds-ids',
    description: 'Ids beyond 2^53 are exact in the 201 and rounded to a double in the list.',
    breaks: ['LIST-3', 'CAT-4'],
    seenIn: 'JavaScript between the database and the wire; tornado#2908',
    ...onResponse(showsCategories, (response) => {
      const exact = (id: string): bigint => 2n ** 53n + 2n * BigInt(id) + 1n;
      const shown = (id: string): string => String(response.status === 201 ? exact(id) : Number(exact(id)));
      return withText(response, mapIds(textOf(response), shown));
    }),
  },
  {
    id: 'empty-list-404',
    description: 'An empty list is answered 404.',
    breaks: ['LIST-1'],
    seenIn: 'handlers that take no rows for no resource',
    ...onResponse(
      (response, request) => isList(response, request) && textOf(response) === '[]',
      (response) => asError(response, 404, 'not_found', 'There are no categories.'),
    ),
  },
  {
    id: 'single-item-unwrapped',
    description: 'A list of one category is that category and no array.',
    breaks: ['LIST-2'],
    seenIn: 'XML-to-JSON converters; Jackson’s WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED',
    ...onResponse(isList, (response) =>
      textOf(response).split('{').length === 2 ? withText(response, textOf(response).slice(1, -1)) : response,
    ),
  },
  {
    id: 'list-as-map',
    description: 'The list is an object whose fields are the ids.',
    breaks: ['LIST-2'],
    seenIn: 'PHP’s json_encode of an array with gaps; Firebase',
    ...onResponse(isList, (response) =>
      withText(response, JSON.stringify({ ...JSON.parse(textOf(response)) })),
    ),
  },
  {
    id: 'foreign-items-in-list',
    description: 'The list ends with an item that is no category: a cursor.',
    breaks: ['LIST-2', 'CAT-1', 'CAT-2'],
    seenIn: 'paging put into the list itself',
    ...onResponse(isList, (response) => withItems(response, (items) => [...items, { next: null }])),
  },
  {
    id: 'list-stops-at-three',
    description: 'The list holds the first three categories, and nothing says that there are more.',
    breaks: ['LIST-3'],
    seenIn: 'default page sizes that nobody documented',
    ...onResponse(isList, (response) => withItems(response, (items) => items.slice(0, 3))),
  },
  {
    id: 'list-shows-the-newest-five',
    description: 'The list holds the five newest categories, and nothing says that there are more.',
    breaks: [],
    warnings: ['LIST-3'],
    seenIn: 'caches of bounded size that are taken for the store itself',
    ...onResponse(isList, (response) => withItems(response, (items) => items.slice(-5))),
  },
  {
    id: 'list-shortens-names',
    description: 'The list shows the first sixteen characters of every name.',
    breaks: ['LIST-3', 'CAT-4'],
    seenIn: 'columns of bounded length in a read model',
    ...onResponse(isList, (response) =>
      withItems(response, (items) =>
        items.map((item) => ({ ...item, name: String(item['name']).slice(0, 16) })),
      ),
    ),
  },
  {
    id: 'list-swaps-descriptions',
    description: 'In the list every category has the description of the one before it.',
    breaks: ['LIST-3', 'CAT-4'],
    seenIn: 'columns joined by position',
    ...onResponse(isList, (response) =>
      withItems(response, (items) =>
        items.map(({ id, name }, index) => {
          const description = items[index - 1]?.['description'];
          return { id, name, ...(description === undefined ? {} : { description }) };
        }),
      ),
    ),
  },
  {
    id: 'list-shows-everything-twice',
    description: 'Every category stands in the list twice.',
    breaks: [],
    undecidable: {
      requirement: 'LIST-3',
      because:
        'The list holds all categories, as the specification asks; that each stands there once it does not say, and every one is whole and true.',
    },
    seenIn: 'joins that multiply rows',
    ...onResponse(isList, (response) => withItems(response, (items) => [...items, ...items])),
  },
  {
    id: 'concurrent-creations-lost',
    description: 'Of two creations at the same moment one is answered 201 and not kept.',
    breaks: [],
    undecidable: {
      requirement: 'LIST-3',
      because:
        'The examination sends its creations one after another, so that each of them has one list that must show it; what is sent at the same time are lists. No exchange shows two creations at once.',
    },
    seenIn: 'files written as a whole by every request; lost updates on one JSON column',
    ...losingConcurrentCreations(),
  },
  {
    id: 'list-kept-by-each-worker',
    description: 'Each of two workers lists the categories that were created over its own connections.',
    breaks: [],
    warnings: ['LIST-3'],
    seenIn: 'Node’s cluster module and gunicorn with a store in memory',
    ...listingByWorker(),
  },
];

/** Two workers, told apart by the number of the connection. */
function listingByWorker(): Seams {
  return {
    wrapService(handle) {
      const workers = new Map<string, number>();
      return (request) => {
        const worker = request.client.connection % 2;
        const outcome = handle(request);
        if (outcome.kind !== 'response') return outcome;
        if (outcome.status === 201) workers.set(String(JSON.parse(textOf(outcome)).id), worker);
        if (!isList(outcome, request)) return outcome;
        return withItems(outcome, (items) => items.filter(({ id }) => workers.get(String(id)) === worker));
      };
    },
  };
}

/** A creation takes a while, and one that comes meanwhile is overwritten when it is over. */
function losingConcurrentCreations(): Seams {
  return {
    wrapService(handle, { now }) {
      const lost = new Set<string>();
      let busyUntil = Number.NEGATIVE_INFINITY;
      return (request) => {
        const outcome = handle(request);
        if (outcome.kind !== 'response') return outcome;
        if (outcome.status === 201) {
          if (now() < busyUntil) lost.add(String(JSON.parse(textOf(outcome)).id));
          busyUntil = now() + CREATION_MS - TIMER_SLACK_MS;
          return { ...outcome, delayMs: CREATION_MS };
        }
        if (lost.size === 0 || !isList(outcome, request)) return outcome;
        return withItems(outcome, (items) => items.filter(({ id }) => !lost.has(String(id))));
      };
    },
  };
}
