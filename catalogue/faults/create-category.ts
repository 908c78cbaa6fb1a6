import type { NewCategory } from '../../reference-server/categories.ts';
import { parseNewCategory } from '../../reference-server/new-category.ts';
import type { Seams } from '../../reference-server/seams.ts';
import {
  asError,
  bodyText,
  fieldsOf,
  isCreated,
  isCreation,
  isRefused,
  mapIds,
  onReply,
  plus,
  showsCategories,
  status,
  textOf,
  withJson,
  without,
  withText,
} from './answers.ts';
import type { Fault } from './fault.ts';

/** Faults of the chapter "Create a category". */
export const createCategory: readonly Fault[] = [
  {
    id: 'created-200',
    says: 'A creation is answered 200 instead of 201.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warns: ['MEDIA-3'],
    seen: 'every framework whose default status is 200 for POST, FastAPI and Spring among them',
    ...onReply(isCreated, (reply) => ({ ...reply, status: 200 })),
  },
  {
    id: 'description-refused',
    says: 'A creation with a description is answered 400.',
    breaks: ['CREATE-1'],
    warns: ['MEDIA-3'],
    seen: 'strict deserialisers whose model lacks the optional field',
    ...refusing(({ description }) => description !== undefined, 'unknown field: description'),
  },
  {
    id: 'description-required',
    says: 'A creation without a description is answered 400.',
    breaks: ['CREATE-2'],
    seen: 'models in which every field is required unless marked otherwise',
    ...refusing(({ description }) => description === undefined, 'description is required'),
  },
  {
    id: 'created-without-body',
    says: 'A 201 has no body.',
    breaks: ['CREATE-3'],
    seen: 'services that answer with a Location alone',
    ...onReply(isCreated, (reply) => withText(reply, '')),
  },
  {
    id: 'created-says-ok',
    says: 'The body of a 201 is {"ok":true}.',
    breaks: ['CREATE-3', 'CAT-1', 'CAT-2'],
    seen: 'handlers that return the result of the database driver',
    ...onReply(isCreated, (reply) => withText(reply, '{"ok":true}')),
  },
  {
    id: 'created-202',
    says: 'A creation is answered 202 Accepted.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warns: ['MEDIA-3'],
    seen: 'services that put creations into a queue',
    ...onReply(isCreated, (reply) => ({ ...reply, status: 202 })),
  },
  {
    id: 'created-204',
    says: 'A creation is answered 204 without a body.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warns: ['MEDIA-3'],
    seen: 'PostgREST with Prefer: return=minimal, Symfony handlers that return null',
    ...onReply(isCreated, (reply) => ({
      ...without(reply, 'Content-Type', 'Content-Length'),
      status: 204,
      body: new Uint8Array(),
    })),
  },
  {
    id: 'created-redirects',
    says: 'A creation is answered 303 with the address of the list.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warns: ['MEDIA-3'],
    seen: 'handlers written for forms, which redirect after a POST',
    ...onReply(isCreated, (reply) => plus({ ...reply, status: 303 }, ['Location', '/v1/categories'])),
  },
  {
    id: 'created-in-list',
    says: 'The body of a 201 is an array with the category in it.',
    breaks: ['CREATE-3'],
    seen: 'PostgREST and Supabase, which answer every insert with rows',
    ...onReply(isCreated, (reply) => withText(reply, `[${textOf(reply)}]`)),
  },
  {
    id: 'created-in-envelope',
    says: 'The body of a 201 is wrapped in an object: {"data": {…}}.',
    breaks: ['CREATE-3', 'CAT-1', 'CAT-2'],
    seen: 'Laravel resources, Strapi, every JSON:API server',
    ...onReply(isCreated, (reply) => withJson(reply, (data) => ({ data }))),
  },
  {
    id: 'created-echoes-other-description',
    says: 'A 201 shows another description than was sent; the list shows it as it was sent.',
    breaks: ['CREATE-3', 'CAT-4'],
    seen: 'HTML escaped on its way out of one handler and not of the other',
    ...onReply(isCreated, (reply) =>
      withJson(reply, (category) =>
        category['description'] === undefined
          ? category
          : { ...category, description: `<p>${category['description']}</p>` },
      ),
    ),
  },
  {
    id: 'created-echoes-other-name',
    says: 'A 201 shows the name in capitals; the list shows it as it was sent.',
    breaks: ['CREATE-3', 'CAT-4'],
    seen: 'normalisation of the view model but not of the stored one',
    ...onReply(isCreated, (reply) =>
      withJson(reply, (category) => ({ ...category, name: String(category['name']).toUpperCase() })),
    ),
  },
  {
    id: 'created-without-description',
    says: 'A 201 leaves out the description that was sent; the list has it.',
    breaks: ['CREATE-3', 'CAT-4'],
    seen: 'answers built from the required fields only',
    ...onReply(isCreated, (reply) => withJson(reply, ({ id, name }) => ({ id, name }))),
  },
  {
    id: 'refused-creation-kept',
    says: 'A creation whose description is invalid is answered 400 and kept all the same.',
    breaks: ['CREATE-10'],
    seen: 'validation after the insert, without a transaction',
    ...onReply(isRefused('invalid_description'), (reply, request, { categories }) => {
      categories.create({ name: String(fieldsOf(request)['name']) });
      return reply;
    }),
  },
  {
    id: 'unauthorized-creation-kept',
    says: 'A creation without a valid key is answered 401 and kept all the same.',
    breaks: ['CREATE-10'],
    seen: 'middleware that does not stop the handlers after it',
    ...onReply(
      (reply, request) => reply.status === 401 && isCreation(request),
      (reply, request, { categories }) => {
        const parsed = parseNewCategory(request);
        if (parsed.ok) categories.create(parsed.category);
        return reply;
      },
    ),
  },
  {
    id: 'ids-given-twice',
    says: 'Two creations after one another get the same id.',
    breaks: [],
    warns: ['CREATE-11'],
    seen: 'ids made of the time in a unit that is too coarse',
    ...onReply(showsCategories, (reply) =>
      withText(
        reply,
        mapIds(textOf(reply), (id) => String((BigInt(id) + 1n) / 2n)),
      ),
    ),
  },
  {
    id: 'client-id-adopted',
    says: 'The id that a client sends is adopted.',
    breaks: [],
    warns: ['CREATE-12'],
    seen: 'mass assignment of the request body to the model',
    ...adoptingIds((id) => id),
  },
  {
    id: 'client-id-adopted-as-double',
    says: 'The id that a client sends is adopted as the double that is next to it.',
    breaks: [],
    warns: ['CREATE-12'],
    seen: 'JSON.parse and an ORM that assigns every field of the body',
    ...adoptingIds((id) => String(BigInt(Number(id)))),
  },
  {
    id: 'client-id-adopted-where-it-fits',
    says: 'The id that a client sends is adopted where it fits into 32 bits.',
    breaks: [],
    warns: ['CREATE-12'],
    seen: 'mass assignment to a column of type INTEGER, in a lax mode',
    ...adoptingIds((id) => (BigInt(id) < 2n ** 31n ? id : undefined)),
  },
  {
    id: 'ids-begin-anew',
    says: 'After five creations ids begin anew with 1.',
    breaks: [],
    warns: ['CREATE-11'],
    seen: 'counters of too few bits',
    ...onReply(showsCategories, (reply) =>
      withText(
        reply,
        mapIds(textOf(reply), (id) => String(((BigInt(id) - 1n) % 5n) + 1n)),
      ),
    ),
  },
  {
    id: 'names-by-a-secret-rule',
    says: 'A name that does not begin with "Category " is answered 400.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warns: ['MEDIA-3'],
    seen: 'validation for the data of one client that nobody documented',
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
    ...onReply(status(507), (reply) => asError(reply, 400, 'invalid_body', message)),
  };
}

/** Shows each category under the id that its creator sent. */
function adoptingIds(adopt: (id: string) => string | undefined): Seams {
  return {
    wrapService(answer) {
      const adopted = new Map<string, string>();
      return (request) => {
        const outcome = answer(request);
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
