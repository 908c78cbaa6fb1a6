import type { Seams } from '../../reference-server/seams.ts';
import type { Category, NewCategory } from '../../reference-server/service/categories.ts';
import { categoryJson } from '../../reference-server/service/categories.ts';
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
    description: 'A creation gets 200 instead of 201.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warnings: ['MEDIA-3'],
    seenIn: 'every framework whose default status for POST is 200, such as FastAPI and Spring',
    ...onResponse(isCreated, (response) => ({ ...response, status: 200 })),
  },
  {
    id: 'description-rejected',
    description: 'A creation with a description gets 400.',
    breaks: ['CREATE-1'],
    warnings: ['MEDIA-3'],
    seenIn: 'strict deserializers whose model lacks the optional field',
    ...rejecting(({ description }) => description !== undefined, 'unknown field: description'),
  },
  {
    id: 'description-required',
    description: 'A creation without a description gets 400.',
    breaks: ['CREATE-2'],
    seenIn: 'models in which every field is required by default',
    ...rejecting(({ description }) => description === undefined, 'description is required'),
  },
  {
    id: 'created-without-body',
    description: 'A 201 response has no body.',
    breaks: ['CREATE-3'],
    seenIn: 'services that send only a Location header',
    ...onResponse(isCreated, (response) => withText(response, '')),
  },
  {
    id: 'created-says-ok',
    description: 'The body of a 201 response is {"ok":true}.',
    breaks: ['CREATE-3', 'CAT-1', 'CAT-2'],
    seenIn: 'handlers that return the result of the database driver',
    ...onResponse(isCreated, (response) => withText(response, '{"ok":true}')),
  },
  {
    id: 'created-202',
    description: 'A creation gets 202 Accepted.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warnings: ['MEDIA-3'],
    seenIn: 'services that queue creations',
    ...onResponse(isCreated, (response) => ({ ...response, status: 202 })),
  },
  {
    id: 'created-204',
    description: 'A creation gets 204 without a body.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warnings: ['MEDIA-3'],
    seenIn: 'PostgREST with Prefer: return=minimal; Symfony handlers that return null',
    ...onResponse(isCreated, (response) => ({
      ...withoutHeaders(response, 'Content-Type', 'Content-Length'),
      status: 204,
      body: new Uint8Array(),
    })),
  },
  {
    id: 'created-redirects',
    description: 'A creation gets 303 with the address of the list.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warnings: ['MEDIA-3'],
    seenIn: 'handlers written for forms, which redirect after a POST',
    ...onResponse(isCreated, (response) =>
      withLines({ ...response, status: 303 }, ['Location', '/v1/categories']),
    ),
  },
  {
    id: 'created-in-list',
    description: 'The body of a 201 response is an array with the category in it.',
    breaks: ['CREATE-3'],
    seenIn: 'PostgREST and Supabase, whose inserts return rows',
    ...onResponse(isCreated, (response) => withText(response, `[${textOf(response)}]`)),
  },
  {
    id: 'created-in-envelope',
    description: 'The body of a 201 response is wrapped in an object: {"data": {…}}.',
    breaks: ['CREATE-3', 'CAT-1', 'CAT-2'],
    seenIn: 'Laravel resources, Strapi, every JSON:API server',
    ...onResponse(isCreated, (response) => withJson(response, (data) => ({ data }))),
  },
  {
    id: 'created-echoes-other-description',
    description: 'A 201 response changes the description; the list shows it as sent.',
    breaks: ['CREATE-3', 'CAT-4'],
    seenIn: 'HTML escaping in one handler but not in the other',
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
    description: 'A 201 response shows the name in capitals; the list shows it as sent.',
    breaks: ['CREATE-3', 'CAT-4'],
    seenIn: 'normalization of the view model but not of the stored one',
    ...onResponse(isCreated, (response) =>
      withJson(response, (category) => ({ ...category, name: String(category['name']).toUpperCase() })),
    ),
  },
  {
    id: 'created-without-description',
    description: 'A 201 response omits the description that was sent; the list has it.',
    breaks: ['CREATE-3', 'CAT-4'],
    seenIn: 'responses built from the required fields only',
    ...onResponse(isCreated, (response) => withJson(response, ({ id, name }) => ({ id, name }))),
  },
  {
    id: 'rejected-creation-stored',
    description: 'A creation with an invalid description gets 400 but is stored.',
    breaks: ['CREATE-10'],
    seenIn: 'validation after the insert, without a transaction',
    ...onResponse(isRejected('invalid_description'), (response, request, { categories }) => {
      categories.create({ name: String(fieldsOf(request)['name']) });
      return response;
    }),
  },
  {
    id: 'unauthorized-creation-stored',
    description: 'A creation without a valid key gets 401 but is stored.',
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
    description: 'Two successive creations get the same id.',
    breaks: [],
    warnings: ['CREATE-11'],
    seenIn: 'ids derived from a clock whose unit is too coarse',
    ...onResponse(showsCategories, (response) =>
      withText(
        response,
        mapIds(textOf(response), (id) => String((BigInt(id) + 1n) / 2n)),
      ),
    ),
  },
  {
    id: 'ids-given-twice-under-concurrency',
    description: 'Two simultaneous creations get the same id.',
    breaks: [],
    warnings: ['CREATE-11'],
    seenIn: 'MAX(id) + 1 without a lock; ids from a clock in milliseconds',
    ...numberingByMoment(),
  },
  {
    id: 'existing-name-overwritten',
    description: 'A creation with an existing name gets 201 with the old id and overwrites that category.',
    breaks: ['CAT-4'],
    warnings: ['CREATE-11'],
    seenIn: 'ON CONFLICT (name) DO UPDATE; maps with the name as the key',
    ...upserting(),
  },
  {
    id: 'existing-name-replaced',
    description: 'A creation with an existing name removes the old category and stores one with a new id.',
    breaks: ['LIST-3'],
    seenIn: 'SQLite’s INSERT OR REPLACE, MySQL’s REPLACE INTO',
    ...replacing(),
  },
  {
    id: 'client-id-adopted',
    description: 'The service adopts the id that a client sends.',
    breaks: ['CREATE-12'],
    seenIn: 'mass assignment of the request body to the model',
    ...adoptingIds((id) => id),
  },
  {
    id: 'client-id-adopted-as-double',
    description: 'The service adopts the id that a client sends, rounded to a double.',
    breaks: ['CREATE-12'],
    seenIn: 'JSON.parse and an ORM that assigns every field of the body',
    ...adoptingIds((id) => String(BigInt(Number(id)))),
  },
  {
    id: 'client-id-adopted-where-it-fits',
    description: 'The service adopts the id that a client sends where it fits into 32 bits.',
    breaks: ['CREATE-12'],
    seenIn: 'mass assignment to an INTEGER column, in a lax mode',
    ...adoptingIds((id) => (BigInt(id) < 2n ** 31n ? id : undefined)),
  },
  {
    id: 'ids-start-again',
    description: 'After five creations, ids start again at 1.',
    breaks: [],
    warnings: ['CREATE-11'],
    seenIn: 'counters with too few bits',
    ...onResponse(showsCategories, (response) =>
      withText(
        response,
        mapIds(textOf(response), (id) => String(((BigInt(id) - 1n) % 5n) + 1n)),
      ),
    ),
  },
  {
    id: 'undocumented-name-rule',
    description: 'A name that does not begin with "Category " gets 400.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warnings: ['MEDIA-3'],
    seenIn: 'undocumented validation for the data of one client',
    ...rejecting(({ name }) => !name.startsWith('Category '), 'This is not a valid category name.'),
  },
];

/** Rejects creations that the service would accept, without storing them. */
function rejecting(rejects: (category: NewCategory) => boolean, message: string): Seams {
  return {
    wrapStore: (store) => ({
      ...store,
      create: (category) => (rejects(category) ? null : store.create(category)),
    }),
    ...onResponse(hasStatus(507), (response) => asError(response, 400, 'invalid_body', message)),
  };
}

/** Shows each category under the id that the client sent. */
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

/** Creations that arrive while another one takes place get its id. */
function numberingByMoment(): Seams {
  return {
    wrapService(handle, { now }) {
      const shown = new Map<string, string>();
      let last = { id: '', until: Number.NEGATIVE_INFINITY };
      return (request) => {
        const outcome = handle(request);
        if (outcome.kind !== 'response' || !showsCategories(outcome, request)) return outcome;
        if (outcome.status !== 201) return withText(outcome, mapIds(textOf(outcome), (id) => shown.get(id) ?? id));
        const text = mapIds(textOf(outcome), (id) => {
          if (now() >= last.until) last = { id, until: now() + CREATION_MS };
          shown.set(id, last.id);
          return last.id;
        });
        return { ...withText(outcome, text), delayMs: CREATION_MS };
      };
    },
  };
}

/** How long a creation takes where simultaneous ones share an id, in milliseconds; shorter than what one after another needs. */
const CREATION_MS = 10;

/** A category with an existing name takes the place of the one before, under its id. */
function upserting(): Seams {
  return {
    wrapStore(store) {
      const byName = new Map<string, Category>();
      return {
        create(category) {
          const before = byName.get(category.name);
          const stored = before === undefined ? store.create(category) : { ...category, id: before.id };
          if (stored !== null) byName.set(category.name, stored);
          return stored;
        },
        listJson: () => `[${[...byName.values()].map(categoryJson).join(',')}]`,
      };
    },
  };
}

/** A category with an existing name takes the place of the one before, under a new id. */
function replacing(): Seams {
  return {
    wrapStore(store) {
      const byName = new Map<string, Category>();
      return {
        create(category) {
          const stored = store.create(category);
          if (stored !== null) byName.set(category.name, stored);
          return stored;
        },
        listJson: () => `[${[...byName.values()].map(categoryJson).join(',')}]`,
      };
    },
  };
}
