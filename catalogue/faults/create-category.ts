import type { Seams } from '../../reference-server/seams.ts';
import type { NewCategory } from '../../reference-server/service/categories.ts';
import { parseNewCategory } from '../../reference-server/service/new-category.ts';
import {
  asError,
  bodyText,
  fieldsOf,
  hasStatus,
  isCreated,
  isCreation,
  isRejected,
  mapIds,
  onResponse,
  showsCategories,
  textOf,
  withJson,
  withLines,
  withoutHeaders,
  withText,
} from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';

/** Faults of the chapter "Create a category". */
export const createCategory: readonly Fault[] = [
  {
    id: 'created-200',
    description: 'A creation is answered 200 instead of 201.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warnings: ['MEDIA-3'],
    seenIn: 'every framework whose default status is 200 for POST, FastAPI and Spring among them',
    ...onResponse(isCreated, (response) => ({ ...response, status: 200 })),
  },
  {
    id: 'description-refused',
    description: 'A creation with a description is answered 400.',
    breaks: ['CREATE-1'],
    warnings: ['MEDIA-3'],
    seenIn: 'strict deserialisers whose model lacks the optional field',
    ...refusing(({ description }) => description !== undefined, 'unknown field: description'),
  },
  {
    id: 'description-required',
    description: 'A creation without a description is answered 400.',
    breaks: ['CREATE-2'],
    seenIn: 'models in which every field is required unless marked otherwise',
    ...refusing(({ description }) => description === undefined, 'description is required'),
  },
  {
    id: 'created-without-body',
    description: 'A 201 has no body.',
    breaks: ['CREATE-3'],
    seenIn: 'services that answer with a Location alone',
    ...onResponse(isCreated, (response) => withText(response, '')),
  },
  {
    id: 'created-says-ok',
    description: 'The body of a 201 is {"ok":true}.',
    breaks: ['CREATE-3', 'CAT-1', 'CAT-2'],
    seenIn: 'handlers that return the result of the database driver',
    ...onResponse(isCreated, (response) => withText(response, '{"ok":true}')),
  },
  {
    id: 'created-202',
    description: 'A creation is answered 202 Accepted.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warnings: ['MEDIA-3'],
    seenIn: 'services that put creations into a queue',
    ...onResponse(isCreated, (response) => ({ ...response, status: 202 })),
  },
  {
    id: 'created-204',
    description: 'A creation is answered 204 without a body.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warnings: ['MEDIA-3'],
    seenIn: 'PostgREST with Prefer: return=minimal, Symfony handlers that return null',
    ...onResponse(isCreated, (response) => ({
      ...withoutHeaders(response, 'Content-Type', 'Content-Length'),
      status: 204,
      body: new Uint8Array(),
    })),
  },
  {
    id: 'created-redirects',
    description: 'A creation is answered 303 with the address of the list.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warnings: ['MEDIA-3'],
    seenIn: 'handlers written for forms, which redirect after a POST',
    ...onResponse(isCreated, (response) =>
      withLines({ ...response, status: 303 }, ['Location', '/v1/categories']),
    ),
  },
  {
    id: 'created-in-list',
    description: 'The body of a 201 is an array with the category in it.',
    breaks: ['CREATE-3'],
    seenIn: 'PostgREST and Supabase, which answer every insert with rows',
    ...onResponse(isCreated, (response) => withText(response, `[${textOf(response)}]`)),
  },
  {
    id: 'created-in-envelope',
    description: 'The body of a 201 is wrapped in an object: {"data": {…}}.',
    breaks: ['CREATE-3', 'CAT-1', 'CAT-2'],
    seenIn: 'Laravel resources, Strapi, every JSON:API server',
    ...onResponse(isCreated, (response) => withJson(response, (data) => ({ data }))),
  },
  {
    id: 'created-echoes-other-description',
    description: 'A 201 shows another description than was sent; the list shows it as it was sent.',
    breaks: ['CREATE-3', 'CAT-4'],
    seenIn: 'HTML escaped on its way out of one handler and not of the other',
    ...onResponse(isCreated, (response) =>
      withJson(response, (category) =>
        category['description'] === undefined
          ? category
          : { ...category, description: `<p>${category['description']}</p>` },
      ),
    ),
  },
  {
    id: 'created-echoes-other-name',
    description: 'A 201 shows the name in capitals; the list shows it as it was sent.',
    breaks: ['CREATE-3', 'CAT-4'],
    seenIn: 'normalisation of the view model but not of the stored one',
    ...onResponse(isCreated, (response) =>
      withJson(response, (category) => ({ ...category, name: String(category['name']).toUpperCase() })),
    ),
  },
  {
    id: 'created-without-description',
    description: 'A 201 leaves out the description that was sent; the list has it.',
    breaks: ['CREATE-3', 'CAT-4'],
    seenIn: 'answers built from the required fields only',
    ...onResponse(isCreated, (response) => withJson(response, ({ id, name }) => ({ id, name }))),
  },
  {
    id: 'refused-creation-kept',
    description: 'A creation whose description is invalid is answered 400 and kept all the same.',
    breaks: ['CREATE-10'],
    seenIn: 'validation after the insert, without a transaction',
    ...onResponse(isRejected('invalid_description'), (response, request, { categories }) => {
      categories.create({ name: String(fieldsOf(request)['name']) });
      return response;
    }),
  },
  {
    id: 'unauthorized-creation-kept',
    description: 'A creation without a valid key is answered 401 and kept all the same.',
    breaks: ['CREATE-10'],
    seenIn: 'middleware that does not stop the handlers after it',
    ...onResponse(
      (response, request) => response.status === 401 && isCreation(request),
      (response, request, { categories }) => {
        const parsed = parseNewCategory(request);
        if (parsed.ok) categories.create(parsed.category);
        return response;
      },
    ),
  },
  {
    id: 'ids-given-twice',
    description: 'Two creations after one another get the same id.',
    breaks: [],
    warnings: ['CREATE-11'],
    seenIn: 'ids made of the time in a unit that is too coarse',
    ...onResponse(showsCategories, (response) =>
      withText(
        response,
        mapIds(textOf(response), (id) => String((BigInt(id) + 1n) / 2n)),
      ),
    ),
  },
  {
    id: 'client-id-adopted',
    description: 'The id that a client sends is adopted.',
    breaks: [],
    warnings: ['CREATE-12'],
    seenIn: 'mass assignment of the request body to the model',
    ...adoptingIds((id) => id),
  },
  {
    id: 'client-id-adopted-as-double',
    description: 'The id that a client sends is adopted as the double that is next to it.',
    breaks: [],
    warnings: ['CREATE-12'],
    seenIn: 'JSON.parse and an ORM that assigns every field of the body',
    ...adoptingIds((id) => String(BigInt(Number(id)))),
  },
  {
    id: 'client-id-adopted-where-it-fits',
    description: 'The id that a client sends is adopted where it fits into 32 bits.',
    breaks: [],
    warnings: ['CREATE-12'],
    seenIn: 'mass assignment to a column of type INTEGER, in a lax mode',
    ...adoptingIds((id) => (BigInt(id) < 2n ** 31n ? id : undefined)),
  },
  {
    id: 'ids-begin-anew',
    description: 'After five creations ids begin anew with 1.',
    breaks: [],
    warnings: ['CREATE-11'],
    seenIn: 'counters of too few bits',
    ...onResponse(showsCategories, (response) =>
      withText(
        response,
        mapIds(textOf(response), (id) => String(((BigInt(id) - 1n) % 5n) + 1n)),
      ),
    ),
  },
  {
    id: 'names-by-a-secret-rule',
    description: 'A name that does not begin with "Category " is answered 400.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warnings: ['MEDIA-3'],
    seenIn: 'validation for the data of one client that nobody documented',
    ...refusing(({ name }) => !name.startsWith('Category '), 'This is no name of a category.'),
  },
];

/** Refuses creations that the service would accept, without keeping them. */
function refusing(wrong: (category: NewCategory) => boolean, message: string): Seams {
  return {
    wrapStore: (store) => ({
      ...store,
      create: (category) => (wrong(category) ? null : store.create(category)),
    }),
    ...onResponse(hasStatus(507), (response) => asError(response, 400, 'invalid_body', message)),
  };
}

/** Shows each category under the id that its creator sent. */
function adoptingIds(adopt: (id: string) => string | undefined): Seams {
  return {
    wrapService(handle) {
      const adopted = new Map<string, string>();
      return (request) => {
        const outcome = handle(request);
        if (outcome.kind !== 'response' || !showsCategories(outcome, request)) return outcome;
        const sent = outcome.status === 201 ? /"id"\s*:\s*(-?\d+)/.exec(bodyText(request))?.[1] : undefined;
        const shown = (id: string): string => {
          const taken = sent === undefined ? undefined : adopt(sent);
          if (taken !== undefined) adopted.set(id, taken);
          return adopted.get(id) ?? id;
        };
        return withText(outcome, mapIds(textOf(outcome), shown));
      };
    },
  };
}
