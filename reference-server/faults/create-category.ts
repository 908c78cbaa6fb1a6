import type { NewCategory } from '../categories.ts';
import type { Request } from '../message.ts';
import { parseNewCategory } from '../new-category.ts';
import type { Seams } from '../seams.ts';
import {
  asError,
  isCreated,
  isCreation,
  isRefused,
  mapIds,
  onReply,
  showsCategories,
  status,
  textOf,
  withJson,
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
    id: 'missing-name-422',
    says: 'A body without name is answered 422.',
    breaks: ['CREATE-4'],
    seen: 'FastAPI default',
    ...onReply(isRefused('name_required'), (reply) =>
      asError(reply, 422, 'unprocessable', 'The field name is required.'),
    ),
  },
  accepting('missing-name-defaulted', 'A body without name creates a category "unnamed".', 'CREATE-4', {
    codes: ['name_required'],
    seen: 'models whose fields have default values',
    repair: () => ({ name: 'unnamed' }),
  }),
  accepting('name-coerced', 'A name that is not a string is turned into one.', 'CREATE-5', {
    codes: ['invalid_name'],
    seen: 'Ajv with coerceTypes (the default of Fastify), Pydantic 1, PHP',
    repair: ({ name }) => ({ name: String(name) }),
  }),
  {
    id: 'name-of-wrong-type-crashes',
    says: 'A name that is not a string is answered 500.',
    breaks: ['CREATE-5'],
    warns: ['HTTP-4'],
    seen: 'name.trim() before any validation',
    ...onReply(isRefused('invalid_name'), (reply) =>
      asError(reply, 500, 'internal_error', 'name.trim is not a function'),
    ),
  },
  accepting('null-name-accepted', 'A name of null is taken for an empty one.', 'CREATE-5', {
    codes: ['invalid_name'],
    seen: 'typed deserialisers that map null to the zero value, Go among them',
    applies: ({ name }) => name === null,
    repair: () => ({ name: '' }),
  }),
  accepting('description-coerced', 'A description that is not a string is turned into one.', 'CREATE-6', {
    codes: ['invalid_description'],
    applies: ({ description }) => description !== null,
    seen: 'Ajv with coerceTypes (the default of Fastify), Pydantic 1, PHP',
    repair: ({ name, description }) => ({ name: String(name), description: String(description) }),
  }),
  accepting(
    'array-body-accepted',
    'A body that is an array creates a category from its first item.',
    'CREATE-7',
    {
      codes: ['invalid_body'],
      seen: 'Ajv with coerceTypes "array" (the default of Fastify)',
      applies: Array.isArray,
      repair: () => ({ name: 'first of several' }),
    },
  ),
  {
    id: 'null-body-crashes',
    says: 'A body of null is answered 500.',
    breaks: ['CREATE-7'],
    warns: ['HTTP-4'],
    seen: 'destructuring of null, in any framework that lets JSON null through',
    ...onReply(
      (_, request) => isCreation(request) && bodyText(request).trim() === 'null',
      (reply) => asError(reply, 500, 'internal_error', 'Cannot read properties of null'),
    ),
  },
  {
    id: 'absent-body-crashes',
    says: 'A creation without a body is answered 500.',
    breaks: ['CREATE-8'],
    warns: ['HTTP-4'],
    seen: 'Express 5, where req.body is undefined without a body',
    ...onReply(isRefused('body_required'), (reply) =>
      asError(reply, 500, 'internal_error', 'Cannot destructure property name of undefined'),
    ),
  },
  {
    id: 'absent-body-415',
    says: 'A creation without a body is answered 415.',
    breaks: ['CREATE-8'],
    seen: 'Spring and ASP.NET Core, which look at the Content-Type first',
    ...onReply(isRefused('body_required'), (reply) =>
      asError(reply, 415, 'unsupported_media_type', 'Send application/json.'),
    ),
  },
  {
    id: 'malformed-json-422',
    says: 'Malformed JSON is answered 422.',
    breaks: [],
    warns: ['CREATE-9'],
    seen: 'FastAPI default',
    ...onReply(isRefused('malformed_json'), (reply) =>
      asError(reply, 422, 'unprocessable', 'This is no JSON.'),
    ),
  },
  {
    id: 'malformed-json-crashes',
    says: 'Malformed JSON is answered 500.',
    breaks: [],
    warns: ['CREATE-9', 'HTTP-4'],
    seen: 'Hono 4 default',
    ...onReply(isRefused('malformed_json'), (reply) =>
      asError(reply, 500, 'internal_error', 'Unexpected token'),
    ),
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
    ...adoptingIds(),
  },
];

function bodyText(request: Request): string {
  return request.body === null ? '' : Buffer.from(request.body).toString();
}

function fieldsOf(request: Request): Record<string, unknown> {
  return JSON.parse(bodyText(request));
}

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

/** Accepts creations that the service refuses with one of these codes, after repairing their fields. */
function accepting(
  id: string,
  says: string,
  breaks: 'CREATE-4' | 'CREATE-5' | 'CREATE-6' | 'CREATE-7',
  how: {
    readonly codes: readonly string[];
    readonly seen: string;
    readonly applies?: (fields: Record<string, unknown>) => boolean;
    readonly repair: (fields: Record<string, unknown>) => NewCategory;
  },
): Fault {
  const { codes, seen, applies = () => true, repair } = how;
  return {
    id,
    says,
    breaks: [breaks],
    seen,
    wrapService: (answer) => (request) => {
      const probe = isCreation(request) ? parseNewCategory(request) : undefined;
      const refused = probe?.ok === false && codes.includes(probe.problem.code);
      if (!refused || !applies(fieldsOf(request))) return answer(request);
      return answer({ ...request, body: Buffer.from(JSON.stringify(repair(fieldsOf(request)))) });
    },
  };
}

/** Shows each category under the id that its creator sent. */
function adoptingIds(): Seams {
  return {
    wrapService(answer) {
      const adopted = new Map<string, string>();
      return (request) => {
        const outcome = answer(request);
        if (outcome.kind !== 'response' || !showsCategories(outcome, request)) return outcome;
        const sent = outcome.status === 201 ? /"id"\s*:\s*(-?\d+)/.exec(bodyText(request))?.[1] : undefined;
        const shown = (id: string): string => {
          if (sent !== undefined) adopted.set(id, sent);
          return adopted.get(id) ?? id;
        };
        return withText(outcome, mapIds(textOf(outcome), shown));
      };
    },
  };
}
