import type { Seams } from '../../seams.ts';
import type { NewCategory } from '../../service/categories.ts';
import { parseNewCategory } from '../../service/categories.ts';
import {
  changingJson,
  changingText,
  failing,
  fieldsOf,
  hasStatus,
  isCreated,
  isCreation,
  isRejected,
  onResponse,
  unauthorized,
  withLines,
  withoutHeaders,
  withText,
  withType,
} from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

/** Faults of the chapter "Create a category". */
export const createCategory: StatedFaults = {
  'created-200': {
    description: 'A creation gets 200 instead of 201.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warnings: ['MEDIA-3'],
    seenIn: 'every framework whose default status for POST is 200, such as FastAPI and Spring',
    ...onResponse(isCreated, (response) => ({ ...response, status: 200 })),
  },
  'description-rejected': {
    description: 'A creation with a description gets 400.',
    breaks: ['CREATE-1'],
    warnings: ['MEDIA-3'],
    seenIn: 'strict deserializers whose model lacks the optional field',
    ...rejecting(({ description }) => description !== undefined),
  },
  'description-required': {
    description: 'A creation without a description gets 400.',
    breaks: ['CREATE-2'],
    seenIn: 'models in which every field is required by default',
    ...rejecting(({ description }) => description === undefined),
  },
  'created-without-body': {
    description: 'A 201 response has no body.',
    breaks: ['CREATE-3'],
    seenIn: 'services that send only a Location header',
    ...changingText(isCreated, () => ''),
  },
  'created-says-ok': {
    description: 'The body of a 201 response is {"ok":true}.',
    breaks: ['CREATE-3', 'CAT-1', 'CAT-2'],
    seenIn: 'handlers that return the result of the database driver',
    ...changingText(isCreated, () => '{"ok":true}'),
  },
  'creations-need-a-form-token': {
    description: 'Every creation with a valid key gets 403 with a page of HTML.',
    breaks: ['CREATE-1', 'CREATE-2', 'CREATE-4', 'CREATE-5', 'CREATE-6', 'CREATE-7', 'CREATE-8', 'CREATE-9'],
    warnings: ['MEDIA-3'],
    seenIn: 'the protection of forms (CSRF) of Django, Laravel and Rails, which covers the API, too',
    ...onResponse(
      ({ status }, request) => isCreation(request) && [201, 400].includes(status),
      (response) =>
        withType(
          withText({ ...response, status: 403 }, '<!doctype html><h1>CSRF token missing</h1>'),
          'text/html',
        ),
    ),
  },
  'created-202': {
    description: 'A creation gets 202 Accepted.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warnings: ['MEDIA-3'],
    seenIn: 'services that queue creations',
    ...onResponse(isCreated, (response) => ({ ...response, status: 202 })),
  },
  'created-204': {
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
  'created-redirects': {
    description: 'A creation gets 303 with the address of the list.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warnings: ['MEDIA-3'],
    seenIn: 'handlers written for forms, which redirect after a POST',
    ...onResponse(isCreated, (response) =>
      withLines({ ...response, status: 303 }, ['Location', '/v1/categories']),
    ),
  },
  'created-in-list': {
    description: 'The body of a 201 response is an array with the category in it.',
    breaks: ['CREATE-3'],
    seenIn: 'PostgREST and Supabase, whose inserts return rows',
    ...changingText(isCreated, (text) => `[${text}]`),
  },
  'created-in-envelope': {
    description: 'The body of a 201 response is wrapped in an object: {"data": {…}}.',
    breaks: ['CREATE-3', 'CAT-1', 'CAT-2'],
    seenIn: 'Laravel resources, Strapi, every JSON:API server',
    ...changingJson(isCreated, (data) => ({ data })),
  },
  'created-echoes-other-description': {
    description: 'A 201 response changes the description; the list shows it as sent.',
    breaks: ['CREATE-3', 'CAT-4'],
    seenIn: 'HTML escaping in one handler but not in the other',
    ...changingJson(isCreated, (category) =>
      category['description'] === undefined
        ? category
        : { ...category, description: `<p>${category['description']}</p>` },
    ),
  },
  'created-echoes-other-name': {
    description: 'A 201 response shows the name in capitals; the list shows it as sent.',
    breaks: ['CREATE-3', 'CAT-4'],
    seenIn: 'normalization of the view model but not of the stored one',
    ...changingJson(isCreated, (category) => ({ ...category, name: String(category['name']).toUpperCase() })),
  },
  'created-without-description': {
    description: 'A 201 response omits the description that was sent; the list has it.',
    breaks: ['CREATE-3', 'CAT-4'],
    seenIn: 'responses built from the required fields only',
    ...changingJson(isCreated, ({ id, name }) => ({ id, name })),
  },
  'description-of-the-creation-before': {
    description: 'A category without a description gets that of the creation before it.',
    breaks: ['CREATE-3'],
    seenIn:
      'Go handlers that decode into a variable of the package; default arguments of Python that are changed',
    wrapStore(store) {
      let before: string | undefined;
      return {
        ...store,
        create(category) {
          before = category.description ?? before;
          return store.create(before === undefined ? category : { ...category, description: before });
        },
      };
    },
  },
  'rejected-creation-stored': {
    description: 'A creation with an invalid description gets 400 but is stored.',
    breaks: ['CREATE-10'],
    seenIn: 'validation after the insert, without a transaction',
    ...onResponse(isRejected('invalid_description'), (response, request, { categories }) => {
      categories.create({ name: String(fieldsOf(request)['name']) });
      return response;
    }),
  },
  'unauthorized-creation-stored': {
    description: 'A creation without a valid key gets 401 but is stored.',
    breaks: ['CREATE-10'],
    seenIn: 'middleware that does not stop the handlers after it',
    ...onResponse(unauthorized(isCreation), (response, request, { categories }) => {
      const parsed = parseNewCategory(request);
      if (parsed.ok) categories.create(parsed.category);
      return response;
    }),
  },
  'undocumented-name-rule': {
    description: 'A name that does not begin with "Category " gets 400.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warnings: ['MEDIA-3'],
    seenIn: 'undocumented validation for the data of one client',
    ...rejecting(({ name }) => !name.startsWith('Category ')),
  },
  'creations-break-after-twelve': {
    description: 'After twelve categories every creation gets 500.',
    breaks: ['CREATE-1'],
    warnings: ['HTTP-4'],
    seenIn: 'connection pools whose connections are not given back; sequences that have reached their end',
    wrapStore(store) {
      let created = 0;
      return {
        ...store,
        create(category) {
          created += 1;
          return created > 12 ? null : store.create(category);
        },
      };
    },
    ...failing(hasStatus(507), 500),
  },
};

/** Rejects creations that the service would accept, without storing them. */
function rejecting(rejects: (category: NewCategory) => boolean): Seams {
  return {
    wrapStore: (store) => ({
      ...store,
      create: (category) => (rejects(category) ? null : store.create(category)),
    }),
    ...failing(hasStatus(507), 400),
  };
}
