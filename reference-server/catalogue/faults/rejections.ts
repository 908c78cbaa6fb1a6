import type { NewCategory } from '../../service/categories.ts';
import { parseNewCategory } from '../../service/categories.ts';
import {
  bodyText,
  changingJson,
  changingText,
  editing,
  failing,
  fieldsOf,
  hasStatus,
  inTurn,
  isCreation,
  isRejected,
  rewritingBodies,
  withJson,
} from '../wrappers/responses.ts';
import type { StatedFault, StatedFaults } from './fault.ts';

/** Accepts creations that the service rejects with one of these codes, after repairing their fields. */
function accepting(
  description: string,
  breaks: 'CREATE-4' | 'CREATE-5' | 'CREATE-6' | 'CREATE-7',
  how: {
    readonly codes: readonly string[];
    readonly seenIn: string;
    readonly applies?: (fields: Record<string, unknown>) => boolean;
    readonly repair: (fields: Record<string, unknown>) => NewCategory;
  },
): StatedFault {
  const { codes, seenIn, applies = () => true, repair } = how;
  return {
    description,
    breaks: [breaks],
    seenIn,
    ...rewritingBodies((text, request) => {
      const parsed = parseNewCategory(request);
      const rejected = !parsed.ok && codes.includes(parsed.problem.code);
      return rejected && applies(fieldsOf(request)) ? JSON.stringify(repair(fieldsOf(request))) : text;
    }),
  };
}

/** Faults of the chapter "Create a category": bodies that must be rejected. */
export const rejections: StatedFaults = {
  'missing-name-422': {
    description: 'A body without name gets 422.',
    breaks: ['CREATE-4'],
    seenIn: 'the default of FastAPI',
    ...failing(isRejected('name_required'), 422),
  },
  'missing-name-defaulted': accepting('A body without name creates a category named "unnamed".', 'CREATE-4', {
    codes: ['name_required'],
    seenIn: 'models with default values',
    repair: () => ({ name: 'unnamed' }),
  }),
  'name-coerced': accepting('A name that is not a string is converted to one.', 'CREATE-5', {
    codes: ['invalid_name'],
    seenIn: 'Ajv with coerceTypes (the default of Fastify), Pydantic 1, PHP',
    repair: ({ name }) => ({ name: String(name) }),
  }),
  'name-of-wrong-type-crashes': {
    description: 'A name that is not a string gets 500.',
    breaks: ['CREATE-5'],
    warnings: ['HTTP-4'],
    seenIn: 'name.trim() before any validation',
    ...failing(isRejected('invalid_name'), 500),
  },
  'null-name-accepted': accepting('A null name is accepted as an empty one.', 'CREATE-5', {
    codes: ['invalid_name'],
    seenIn: 'typed deserializers that map null to the zero value, as in Go',
    applies: ({ name }) => name === null,
    repair: () => ({ name: '' }),
  }),
  'description-coerced': accepting('A description that is not a string is converted to one.', 'CREATE-6', {
    codes: ['invalid_description'],
    applies: ({ description }) => description !== null,
    seenIn: 'Ajv with coerceTypes (the default of Fastify), Pydantic 1, PHP',
    repair: ({ name, description }) => ({ name: String(name), description: String(description) }),
  }),
  'array-body-accepted': accepting(
    'A body that is an array creates a category from its first item.',
    'CREATE-7',
    {
      codes: ['invalid_body'],
      seenIn: 'Ajv with coerceTypes "array" (the default of Fastify)',
      applies: Array.isArray,
      repair: (items) => items[0] as NewCategory,
    },
  ),
  'null-body-crashes': {
    description: 'A body of null gets 500.',
    breaks: ['CREATE-7'],
    warnings: ['HTTP-4'],
    seenIn: 'destructuring of null, in any framework that accepts JSON null',
    ...failing((_, request) => isCreation(request) && bodyText(request).trim() === 'null', 500),
  },
  'absent-body-crashes': {
    description: 'A creation without a body gets 500.',
    breaks: ['CREATE-8'],
    warnings: ['HTTP-4'],
    seenIn: 'Express 5, where req.body is undefined without a body',
    ...failing(isRejected('body_required'), 500),
  },
  'absent-body-415': {
    description: 'A creation without a body gets 415.',
    warnings: ['CREATE-8'],
    seenIn: 'Spring and ASP.NET Core, which check the Content-Type first',
    ...failing(isRejected('body_required'), 415),
  },
  'malformed-json-crashes': {
    description: 'Malformed JSON gets 500.',
    breaks: ['CREATE-9'],
    warnings: ['HTTP-4'],
    seenIn: 'the default of Hono 4',
    ...failing(isRejected('malformed_json'), 500),
  },
  'absent-body-defaulted': {
    description: 'A creation without a body creates a category named "unnamed".',
    breaks: ['CREATE-8'],
    seenIn: 'parsers that treat a missing body as an empty object, and models with default values',
    ...rewritingBodies((text) => (text === '' ? '{"name":"unnamed"}' : text)),
  },
  'text-after-json-ignored': {
    description: 'Text after the JSON of a body is ignored.',
    warnings: ['CREATE-9'],
    seenIn: 'Go’s json.Decoder, which reads one value and stops; jq',
    ...rewritingBodies((text) => /^\s*\{[^{}]*\}/.exec(text)?.[0] ?? text),
  },
  'long-name-stored-and-rejected': {
    description: 'A name of more than 100 characters is stored, and then gets 400.',
    breaks: ['CREATE-10'],
    seenIn: 'checks after the insertion, without a transaction',
    ...failing(
      ({ status }, request) => status === 201 && String(fieldsOf(request)['name']).length > 100,
      400,
    ),
  },
  'truncated-json-repaired': {
    description: 'A truncated JSON body is completed and accepted.',
    breaks: ['CREATE-9'],
    seenIn: 'lenient parsers that close open brackets (json_repair, partial-json)',
    ...rewritingBodies((text) => text.replace(/^\s*\{[^{}]*"$/, '$&}')),
  },

  // Faults of the chapter "Category and Error schemas": Errors.
  'rejection-with-list-of-messages': {
    description: 'The message in the Error of a 400 response is a list.',
    breaks: ['ERR-1'],
    seenIn: 'Nest’s ValidationPipe',
    ...changingJson(hasStatus(400), (error) => ({ ...error, message: [error['message']] })),
  },
  'rejection-without-body': {
    description: 'A 400 response has no body.',
    breaks: ['ERR-1'],
    seenIn: 'Micronaut and Go handlers that set only the status',
    ...editing(hasStatus(400), { text: '' }),
  },
  'unauthorized-in-envelope': {
    description: 'The Error of a 401 response is wrapped in an object: {"error": {…}}.',
    breaks: ['ERR-2'],
    seenIn: 'gateways with their own error format in front of the service',
    ...changingJson(hasStatus(401), (error) => ({ error })),
  },
  'rejection-status-with-fraction': {
    description:
      'The status in the Error of a 400 response has a fraction that is lost when it is read as a double.',
    breaks: ['ERR-1', 'ERR-3'],
    seenIn: 'arbitrary-precision decimals printed unchanged',
    ...changingText(hasStatus(400), (text) =>
      text.replace('"status":400', '"status":400.0000000000000000001'),
    ),
  },
  'rejection-status-written-as-float': {
    description: 'The status in the Error of a 400 response is written with a fraction of zero: 400.0.',
    warnings: ['ERR-1'],
    seenIn: 'Lua and Jansson, whose numbers are doubles; PHP with a float and JSON_PRESERVE_ZERO_FRACTION',
    ...changingText(hasStatus(400), (text) => text.replace('"status":400', '"status":400.0')),
  },
  'rejection-with-other-status': {
    description: 'The Error of a 400 response has the status 422.',
    breaks: ['ERR-3'],
    seenIn: 'error mappers that change the response but not its body',
    ...changingJson(hasStatus(400), (error) => ({ ...error, status: 422 })),
  },
  'empty-code': {
    description: 'The code of every Error is empty.',
    warnings: ['ERR-4'],
    seenIn: 'fields added only to satisfy a schema',
    ...changingJson(hasStatus(400, 401), (error) => ({ ...error, code: '' })),
  },
  'empty-message': {
    description: 'The message of every Error is empty.',
    warnings: ['ERR-1', 'ERR-2'],
    seenIn: 'exceptions thrown without a text',
    ...changingJson(hasStatus(400, 401), (error) => ({ ...error, message: '' })),
  },
  'code-always-different': {
    description: 'The code of every Error is a new incident number.',
    warnings: ['ERR-4'],
    seenIn: 'trace ids in the field for the code',
    ...inTurn(hasStatus(400, 401), (response, turn) =>
      withJson(response, (error) => ({ ...error, code: `incident-${turn}` })),
    ),
  },
  'code-is-a-sentence': {
    description: 'The code of every Error is its message.',
    warnings: ['ERR-4'],
    seenIn: 'services that fill every field of a schema with the only text that they have',
    ...changingJson(hasStatus(400, 401), (error) => ({ ...error, code: error['message'] })),
  },
  'one-code-for-all': {
    description: 'The code of every Error is "error".',
    warnings: ['ERR-4'],
    seenIn: 'one error handler whose default code is never set',
    ...changingJson(hasStatus(400, 401), (error) => ({ ...error, code: 'error' })),
  },
  'rejection-as-list': {
    description: 'The body of a 400 response is an array of Errors.',
    breaks: ['ERR-1'],
    seenIn: 'validators that report all problems at once; Salesforce’s REST API',
    ...changingText(hasStatus(400), (text) => `[${text}]`),
  },
  'rejection-with-status-as-text': {
    description: 'The status in the Error of a 400 response is a string.',
    breaks: ['ERR-1'],
    seenIn: 'JSON:API, where status is a string',
    ...changingJson(hasStatus(400), (error) => ({ ...error, status: '400' })),
  },
  'malformed-json-without-code': {
    description: 'The Error for malformed JSON, and no other, has no code.',
    breaks: ['ERR-1'],
    seenIn: 'errors of the parser, which never reach the service’s own handler',
    ...changingJson(isRejected('malformed_json'), ({ code: _, ...rest }) => rest),
  },
};
