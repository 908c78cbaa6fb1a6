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

/** Faults of the chapter "List categories". */
export const listCategories: readonly Fault[] = [
  {
    id: 'list-206',
    description: 'The list gets 206 Partial Content although it is complete.',
    breaks: ['LIST-1'],
    seenIn: 'paginating frameworks such as PostgREST and API Platform',
    ...onResponse(isList, (response) => ({ ...response, status: 206 })),
  },
  {
    id: 'empty-list-204',
    description: 'An empty list gets 204 without a body.',
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
    description: 'Every second created category never appears in the list.',
    breaks: ['LIST-3'],
    seenIn: 'lists that each worker of a cluster keeps for itself',
    ...onResponse(isList, (response) =>
      withItems(response, (items) => items.filter((_, index) => index % 2 === 1)),
    ),
  },
  {
    id: 'list-frozen',
    description: 'The list never changes after it was requested for the first time.',
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
    description: 'A created category appears in the second list after its creation, not in the first.',
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
    description: 'The list omits every description.',
    breaks: ['LIST-3', 'CAT-4'],
    seenIn: 'summary views where the API promises the full resource',
    ...onResponse(isList, (response) =>
      withItems(response, (items) => items.map(({ id, name }) => ({ id, name }))),
    ),
  },
  {
    id: 'list-rounds-ids',
    description: 'Ids beyond 2^53 are exact in the 201 response and rounded to a double in the list.',
    breaks: ['LIST-3', 'CAT-4'],
    seenIn: 'JavaScript between the database and the client; tornado#2908',
    ...onResponse(showsCategories, (response) => {
      const exact = (id: string): bigint => 2n ** 53n + 2n * BigInt(id) + 1n;
      const shown = (id: string): string => String(response.status === 201 ? exact(id) : Number(exact(id)));
      return withText(response, mapIds(textOf(response), shown));
    }),
  },
  {
    id: 'empty-list-404',
    description: 'An empty list gets 404.',
    breaks: ['LIST-1'],
    seenIn: 'handlers that treat an empty result as a missing resource',
    ...onResponse(
      (response, request) => isList(response, request) && textOf(response) === '[]',
      (response) => asError(response, 404, 'not_found', 'There are no categories.'),
    ),
  },
  {
    id: 'single-item-unwrapped',
    description: 'A list with one category is that category itself, not an array.',
    breaks: ['LIST-2'],
    seenIn: 'XML-to-JSON converters; Jackson’s WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED',
    ...onResponse(isList, (response) =>
      textOf(response).split('{').length === 2 ? withText(response, textOf(response).slice(1, -1)) : response,
    ),
  },
  {
    id: 'list-as-map',
    description: 'The list is an object with the ids as field names.',
    breaks: ['LIST-2'],
    seenIn: 'PHP’s json_encode for an array with gaps; Firebase',
    ...onResponse(isList, (response) =>
      withText(response, JSON.stringify({ ...JSON.parse(textOf(response)) })),
    ),
  },
  {
    id: 'foreign-items-in-list',
    description: 'The last item of the list is not a category but a cursor.',
    breaks: ['LIST-2', 'CAT-1', 'CAT-2'],
    seenIn: 'pagination data inside the list itself',
    ...onResponse(isList, (response) => withItems(response, (items) => [...items, { next: null }])),
  },
  {
    id: 'list-shortens-names',
    description: 'The list shows only the first sixteen characters of every name.',
    breaks: ['LIST-3', 'CAT-4'],
    seenIn: 'columns of limited length in a read model',
    ...onResponse(isList, (response) =>
      withItems(response, (items) =>
        items.map((item) => ({ ...item, name: String(item['name']).slice(0, 16) })),
      ),
    ),
  },
  {
    id: 'list-swaps-descriptions',
    description: 'In the list, every category has the description of the one before it.',
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
    description: 'The list contains every category twice.',
    breaks: [],
    undecidable: {
      requirement: 'LIST-3',
      because:
        'The list contains all categories, as the specification requires, and each item is correct. The specification does not say that each category appears only once.',
    },
    seenIn: 'joins that multiply rows',
    ...onResponse(isList, (response) => withItems(response, (items) => [...items, ...items])),
  },
];
