import type { Seams } from '../../reference-server/seams.ts';
import {
  asError,
  isList,
  mapIds,
  onReply,
  showsCategories,
  textOf,
  withItems,
  without,
  withText,
} from './answers.ts';
import type { Fault } from './fault.ts';

/** How long a creation takes where concurrent ones are lost, and how long before its answer it is over. */
const CREATION_MS = 12;
const TIMER_SLACK_MS = 2;

/** Faults of the chapter "List categories". */
export const listCategories: readonly Fault[] = [
  {
    id: 'list-206',
    says: 'The list is answered 206 Partial Content although it is whole.',
    breaks: ['LIST-1'],
    seen: 'paginating frameworks such as PostgREST and API Platform',
    ...onReply(isList, (reply) => ({ ...reply, status: 206 })),
  },
  {
    id: 'empty-list-204',
    says: 'An empty list is answered 204 without a body.',
    breaks: ['LIST-1'],
    seen: 'controllers that turn an empty result into No Content, as ASP.NET Core does for null',
    ...onReply(
      (reply, request) => isList(reply, request) && textOf(reply) === '[]',
      (reply) => ({
        ...without(reply, 'Content-Type', 'Content-Length'),
        status: 204,
        body: new Uint8Array(),
      }),
    ),
  },
  {
    id: 'list-in-envelope',
    says: 'The list is wrapped in an object: {"data": […]}.',
    breaks: ['LIST-2'],
    seen: 'Laravel resources, Strapi, every JSON:API server',
    ...onReply(isList, (reply) => withText(reply, `{"data":${textOf(reply)}}`)),
  },
  {
    id: 'null-in-list',
    says: 'The first item of the list is null.',
    breaks: ['LIST-2'],
    seen: 'arrays filled by index from a sparse store',
    ...onReply(isList, (reply) => withItems(reply, (items) => [null, ...items])),
  },
  {
    id: 'created-never-listed',
    says: 'Of the categories that are created every second one never appears in the list.',
    breaks: ['LIST-3'],
    seen: 'lists that each worker of a cluster keeps for itself',
    ...onReply(isList, (reply) => withItems(reply, (items) => items.filter((_, index) => index % 2 === 1))),
  },
  {
    id: 'list-frozen',
    says: 'The list is served as it was when it was first asked for.',
    breaks: ['LIST-3'],
    seen: 'application caches without invalidation',
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
    says: 'A created category appears only in the second list after its creation.',
    breaks: [],
    warns: ['LIST-3'],
    seen: 'read replicas',
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
    says: 'The list leaves out every description.',
    breaks: ['LIST-3', 'CAT-4'],
    seen: 'summary views served where the resource was promised',
    ...onReply(isList, (reply) => withItems(reply, (items) => items.map(({ id, name }) => ({ id, name })))),
  },
  {
    id: 'list-rounds-ids',
    says: 'Ids beyond 2^53 are exact in the 201 and rounded to a double in the list.',
    breaks: ['LIST-3', 'CAT-4'],
    seen: 'JavaScript between the database and the wire; tornado#2908',
    ...onReply(showsCategories, (reply) => {
      const exact = (id: string): bigint => 2n ** 53n + 2n * BigInt(id) + 1n;
      const shown = (id: string): string => String(reply.status === 201 ? exact(id) : Number(exact(id)));
      return withText(reply, mapIds(textOf(reply), shown));
    }),
  },
  {
    id: 'empty-list-404',
    says: 'An empty list is answered 404.',
    breaks: ['LIST-1'],
    seen: 'handlers that take no rows for no resource',
    ...onReply(
      (reply, request) => isList(reply, request) && textOf(reply) === '[]',
      (reply) => asError(reply, 404, 'not_found', 'There are no categories.'),
    ),
  },
  {
    id: 'single-item-unwrapped',
    says: 'A list of one category is that category and no array.',
    breaks: ['LIST-2'],
    seen: 'XML-to-JSON converters; Jackson’s WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED',
    ...onReply(isList, (reply) =>
      textOf(reply).split('{').length === 2 ? withText(reply, textOf(reply).slice(1, -1)) : reply,
    ),
  },
  {
    id: 'list-as-map',
    says: 'The list is an object whose fields are the ids.',
    breaks: ['LIST-2'],
    seen: 'PHP’s json_encode of an array with gaps; Firebase',
    ...onReply(isList, (reply) => withText(reply, JSON.stringify({ ...JSON.parse(textOf(reply)) }))),
  },
  {
    id: 'foreign-items-in-list',
    says: 'The list ends with an item that is no category: a cursor.',
    breaks: ['LIST-2', 'CAT-1', 'CAT-2'],
    seen: 'paging put into the list itself',
    ...onReply(isList, (reply) => withItems(reply, (items) => [...items, { next: null }])),
  },
  {
    id: 'list-stops-at-three',
    says: 'The list holds the first three categories, and nothing says that there are more.',
    breaks: ['LIST-3'],
    seen: 'default page sizes that nobody documented',
    ...onReply(isList, (reply) => withItems(reply, (items) => items.slice(0, 3))),
  },
  {
    id: 'list-shows-the-newest-five',
    says: 'The list holds the five newest categories, and nothing says that there are more.',
    breaks: [],
    warns: ['LIST-3'],
    seen: 'caches of bounded size that are taken for the store itself',
    ...onReply(isList, (reply) => withItems(reply, (items) => items.slice(-5))),
  },
  {
    id: 'list-shortens-names',
    says: 'The list shows the first sixteen characters of every name.',
    breaks: ['LIST-3', 'CAT-4'],
    seen: 'columns of bounded length in a read model',
    ...onReply(isList, (reply) =>
      withItems(reply, (items) =>
        items.map((item) => ({ ...item, name: String(item['name']).slice(0, 16) })),
      ),
    ),
  },
  {
    id: 'list-swaps-descriptions',
    says: 'In the list every category has the description of the one before it.',
    breaks: ['LIST-3', 'CAT-4'],
    seen: 'columns joined by position',
    ...onReply(isList, (reply) =>
      withItems(reply, (items) =>
        items.map(({ id, name }, index) => {
          const description = items[index - 1]?.['description'];
          return { id, name, ...(description === undefined ? {} : { description }) };
        }),
      ),
    ),
  },
  {
    id: 'list-shows-everything-twice',
    says: 'Every category stands in the list twice.',
    breaks: [],
    undecidable: {
      about: 'LIST-3',
      because:
        'The list holds all categories, as the specification asks; that each stands there once it does not say, and every one is whole and true.',
    },
    seen: 'joins that multiply rows',
    ...onReply(isList, (reply) => withItems(reply, (items) => [...items, ...items])),
  },
  {
    id: 'concurrent-creations-lost',
    says: 'Of two creations at the same moment one is answered 201 and not kept.',
    breaks: [],
    undecidable: {
      about: 'LIST-3',
      because:
        'The examination sends its creations one after another, so that each of them has one list that must show it; what is sent at the same time are lists. No exchange shows two creations at once.',
    },
    seen: 'files written as a whole by every request; lost updates on one JSON column',
    ...losingConcurrentCreations(),
  },
  {
    id: 'list-kept-by-each-worker',
    says: 'Each of two workers lists the categories that were created over its own connections.',
    breaks: [],
    warns: ['LIST-3'],
    seen: 'Node’s cluster module and gunicorn with a store in memory',
    ...listingByWorker(),
  },
];

/** Two workers, told apart by the number of the connection. */
function listingByWorker(): Seams {
  return {
    wrapService(answer) {
      const workers = new Map<string, number>();
      return (request) => {
        const worker = request.client.connection % 2;
        const outcome = answer(request);
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
    wrapService(answer, { now }) {
      const lost = new Set<string>();
      let busyUntil = Number.NEGATIVE_INFINITY;
      return (request) => {
        const outcome = answer(request);
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
