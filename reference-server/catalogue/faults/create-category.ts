import { parseNewCategory } from '../../service/categories.ts';
import {
  asError,
  bodyText,
  changingJson,
  editing,
  fieldsOf,
  isCreated,
  isCreation,
  isRejected,
  mapIds,
  onResponse,
  remembering,
  showsCategories,
  textOf,
  unauthorized,
  withItems,
  withJson,
  withText,
  writingIds,
} from '../wrappers/responses.ts';
import { onCreation, rejecting, withUniqueNames } from '../wrappers/storing.ts';
import type { StatedFaults } from './fault.ts';

/** Faults of the chapter "Create a category". */
export const createCategory: StatedFaults = {
  'created-200': {
    description: 'A creation gets 200 instead of 201.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warnings: ['MEDIA-3'],
    seenIn: 'every framework whose default status for POST is 200, such as FastAPI and Spring',
    ...editing(isCreated, { status: 200 }),
  },
  'description-rejected': {
    description: 'A creation with a description gets 400.',
    breaks: ['CREATE-1'],
    warnings: ['MEDIA-3'],
    seenIn: 'strict deserializers whose model lacks the optional field',
    ...rejecting(400, ({ description }) => description !== undefined),
  },
  'description-required': {
    description: 'A creation without a description gets 400.',
    breaks: ['CREATE-2'],
    seenIn: 'models in which every field is required by default',
    ...rejecting(400, ({ description }) => description === undefined),
  },
  'created-without-body': {
    description: 'A 201 response has no body.',
    breaks: ['CREATE-3'],
    seenIn: 'services that send only a Location header',
    ...editing(isCreated, { text: '' }),
  },
  'creations-need-a-form-token': {
    description: 'Every creation with a valid key gets 403 with a page of HTML.',
    breaks: ['CREATE-1', 'CREATE-2', 'CREATE-4', 'CREATE-5', 'CREATE-6', 'CREATE-7', 'CREATE-8', 'CREATE-9'],
    warnings: ['MEDIA-3'],
    seenIn: 'the protection of forms (CSRF) of Django, Laravel and Rails, which covers the API, too',
    ...editing(({ status }, request) => isCreation(request) && [201, 400].includes(status), {
      status: 403,
      type: 'text/html',
      text: '<!doctype html><h1>CSRF token missing</h1>',
    }),
  },
  'created-redirects': {
    description: 'A creation gets 303 with the address of the list.',
    breaks: ['CREATE-1', 'CREATE-2'],
    warnings: ['MEDIA-3'],
    seenIn: 'handlers written for forms, which redirect after a POST',
    ...editing(isCreated, { status: 303, lines: { Location: '/v1/categories' } }),
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
    ...rejecting(400, ({ name }) => !name.startsWith('Category ')),
  },
  'creations-break-after-twelve': {
    description: 'After twelve categories every creation gets 500.',
    breaks: ['CREATE-1'],
    warnings: ['HTTP-4'],
    seenIn: 'connection pools whose connections are not given back; sequences that have reached their end',
    ...rejecting(500, (_, names) => names.size > 11),
  },

  // Faults of the chapter "Create a category": ids, and categories that have one name.
  'ids-given-twice': {
    description: 'Two successive creations get the same id.',
    warnings: ['CREATE-11'],
    seenIn: 'ids derived from a clock whose unit is too coarse',
    ...writingIds((id) => String((id + 1n) / 2n)),
  },
  'ids-collide-under-concurrency': {
    description: 'Two simultaneous creations are given the same id, and the second one gets 409.',
    warnings: ['CREATE-1'],
    seenIn: 'MAX(id) + 1 without a lock, beside a handler that makes 409 of every violation of a constraint',
    wrapService(handle, { now }) {
      let busyUntil = Number.NEGATIVE_INFINITY;
      return (request) => {
        const outcome = handle(
          isCreation(request) && now() < busyUntil ? { ...request, body: Buffer.from('{}') } : request,
        );
        if (outcome.kind !== 'response') return outcome;
        if (outcome.status === 201) busyUntil = now() + CREATION_MS;
        const collided = outcome.status === 400 && isCreation(request) && parseNewCategory(request).ok;
        if (collided) return asError(outcome, 409);
        return outcome.status === 201 ? { ...outcome, delayMs: CREATION_MS } : outcome;
      };
    },
  },
  'existing-name-overwritten': {
    description: 'A creation with an existing name gets 201 with the old id and overwrites that category.',
    breaks: ['CAT-4'],
    warnings: ['CREATE-11'],
    seenIn: 'ON CONFLICT (name) DO UPDATE; maps with the name as the key',
    ...withUniqueNames((before, category) => ({ ...category, id: before.id })),
  },
  'creations-stored-twice': {
    description: 'Each creation is stored twice, and the 201 shows the second category.',
    warnings: ['CREATE-14'],
    seenIn:
      'gateways and clients of a database that send a request again after a timeout (nginx’s proxy_next_upstream non_idempotent)',
    ...onCreation((category, store) => {
      store.create(category);
      return store.create(category);
    }),
  },
  'client-id-adopted': {
    description: 'The service adopts the id that a client sends.',
    breaks: ['CREATE-12'],
    warnings: ['CREATE-11'],
    seenIn: 'mass assignment of the request body to the model',
    // Shows each category under the id that the client sent.
    ...remembering(showsCategories, () => {
      const adopted = new Map<string, string>();
      return (response, request) => {
        const sent = response.status === 201 ? /"id"\s*:\s*(-?\d+)/.exec(bodyText(request))?.[1] : undefined;
        const shown = (id: string): string => {
          if (sent !== undefined) adopted.set(id, sent);
          return adopted.get(id) ?? id;
        };
        return withText(response, mapIds(textOf(response), shown));
      };
    }),
  },
  'client-id-overwrites': {
    description: 'A creation with the id of a category overwrites that category; any other id is ignored.',
    breaks: ['CREATE-12', 'LIST-3', 'CAT-4'],
    warnings: ['CREATE-11'],
    seenIn: 'save or merge of an entity that was read from the body (Spring Data JPA, Hibernate, SQLAlchemy)',
    ...remembering(showsCategories, () => {
      const overwritten = new Set<unknown>();
      const merged = new Map<unknown, unknown>();
      const shown = (category: Record<string, unknown>) => {
        const { id } = category;
        return { ...category, id: merged.get(id) ?? id };
      };
      return (response, request) => {
        if (response.status === 200)
          return withItems(response, (items) => items.filter(({ id }) => !overwritten.has(id)).map(shown));
        const { id: sent } = fieldsOf(request);
        return withJson(response, (category) => {
          if (Number.isInteger(sent) && Number(sent) > 0 && Number(sent) < Number(category['id'])) {
            overwritten.add(sent);
            merged.set(category['id'], sent);
          }
          return shown(category);
        });
      };
    }),
  },
  'ids-all-the-same': {
    description: 'Every category has the id 1.',
    warnings: ['CREATE-11'],
    seenIn: 'ids derived from the size of a store into which nothing is written any more',
    ...writingIds(() => '1'),
  },
};

/** How long a creation takes where simultaneous ones share an id, in milliseconds; shorter than what one after another needs. */
const CREATION_MS = 10;
