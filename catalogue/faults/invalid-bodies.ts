import type { NewCategory } from '../../reference-server/categories.ts';
import { parseNewCategory } from '../../reference-server/new-category.ts';
import { asError, bodyText, fieldsOf, isCreation, isRefused, onReply } from './answers.ts';
import type { Fault } from './fault.ts';

/** Faults of the chapter "Create a category": bodies that must be refused. */
export const invalidBodies: readonly Fault[] = [
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
    breaks: [],
    warns: ['CREATE-8'],
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
    breaks: ['CREATE-9'],
    warns: ['HTTP-4'],
    seen: 'Hono 4 default',
    ...onReply(isRefused('malformed_json'), (reply) =>
      asError(reply, 500, 'internal_error', 'Unexpected token'),
    ),
  },
  answering('absent-body-405', 'A creation without a body is answered 405.', 'body_required', {
    breaks: ['CREATE-8'],
    as: 405,
    seen: 'routers that choose the handler by the media type of the body',
  }),
  answering('malformed-json-413', 'Malformed JSON is answered 413.', 'malformed_json', {
    breaks: ['CREATE-9'],
    as: 413,
    seen: 'readers with one error for everything that they cannot read',
  }),
  answering('missing-name-crashes', 'A body without name is answered 500.', 'name_required', {
    breaks: ['CREATE-4'],
    warns: ['HTTP-4'],
    as: 500,
    seen: 'KeyError: "name", in any handler that reads fields without looking first',
  }),
  answering('name-of-wrong-type-422', 'A name that is not a string is answered 422.', 'invalid_name', {
    breaks: ['CREATE-5'],
    as: 422,
    seen: 'FastAPI and Laravel defaults',
  }),
  answering(
    'description-of-wrong-type-crashes',
    'A description that is not a string is answered 500.',
    'invalid_description',
    {
      breaks: ['CREATE-6'],
      warns: ['HTTP-4'],
      as: 500,
      seen: 'database drivers that refuse to bind an object, behind a service that does not check',
    },
  ),
  answering(
    'description-of-wrong-type-422',
    'A description that is not a string is answered 422.',
    'invalid_description',
    { breaks: ['CREATE-6'], as: 422, seen: 'FastAPI and Laravel defaults' },
  ),
  answering('other-body-than-object-415', 'A body that is no object is answered 415.', 'invalid_body', {
    breaks: ['CREATE-7'],
    as: 415,
    seen: 'Spring, where no reader for the shape is found',
  }),
  {
    id: 'absent-body-defaulted',
    says: 'A creation without a body creates a category "unnamed".',
    breaks: ['CREATE-8'],
    seen: 'parsers that take no body for an empty object, and models whose fields have default values',
    wrapService: (answer) => (request) =>
      isCreation(request) && bodyText(request) === ''
        ? answer({ ...request, body: Buffer.from('{"name":"unnamed"}') })
        : answer(request),
  },
  {
    id: 'text-after-json-ignored',
    says: 'What follows the JSON of a body is ignored.',
    breaks: [],
    warns: ['CREATE-9'],
    seen: 'Go’s json.Decoder, which reads one value and stops; jq',
    wrapService: (answer) => (request) => {
      const cut = isCreation(request) ? /^\s*\{[^{}]*\}/.exec(bodyText(request))?.[0] : undefined;
      return answer(cut === undefined ? request : { ...request, body: Buffer.from(cut) });
    },
  },
  {
    id: 'truncated-json-repaired',
    says: 'A JSON body that was cut off is completed and accepted.',
    breaks: ['CREATE-9'],
    seen: 'lenient parsers that close open brackets (json_repair, partial-json)',
    wrapService: (answer) => (request) => {
      const text = bodyText(request);
      const cut = isCreation(request) && /^\s*\{[^{}]*"$/.test(text);
      return answer(cut ? { ...request, body: Buffer.from(`${text}}`) } : request);
    },
  },
];

/** Answers creations that are refused with this code by another status. */
function answering(
  id: string,
  says: string,
  code: string,
  how: Pick<Fault, 'breaks' | 'warns' | 'seen'> & { readonly as: number },
): Fault {
  const { as, ...described } = how;
  const refusal = onReply(isRefused(code), (reply) =>
    asError(reply, as, 'unprocessable', 'This will not do.'),
  );
  return { id, says, ...described, ...refusal };
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
