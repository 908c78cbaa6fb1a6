import type { Seams } from '../../seams.ts';
import type { Applies } from '../wrappers/responses.ts';
import {
  hasStatus,
  isRejected,
  onResponse,
  remembering,
  textOf,
  withJson,
  withText,
} from '../wrappers/responses.ts';
import type { StatedFault, StatedFaults } from './fault.ts';

/** Faults of the chapter "Category and Error schemas": Errors. */
export const errors: StatedFaults = {
  'rejection-without-code': {
    description: 'The Error of a 400 response has no code.',
    breaks: ['ERR-1'],
    seenIn: 'the defaults of Fastify and Nest, which send statusCode, error and message',
    ...onResponse(hasStatus(400), (response) => withJson(response, ({ code: _, ...rest }) => rest)),
  },
  'rejection-with-numeric-code': {
    description: 'The code in the Error of a 400 response is a number.',
    breaks: ['ERR-1'],
    seenIn: 'Google’s JSON errors ({"code": 400})',
    ...onResponse(hasStatus(400), (response) => withJson(response, (error) => ({ ...error, code: 400 }))),
  },
  'rejection-with-list-of-messages': {
    description: 'The message in the Error of a 400 response is a list.',
    breaks: ['ERR-1'],
    seenIn: 'Nest’s ValidationPipe',
    ...onResponse(hasStatus(400), (response) =>
      withJson(response, (error) => ({ ...error, message: [error['message']] })),
    ),
  },
  'rejection-without-body': {
    description: 'A 400 response has no body.',
    breaks: ['ERR-1'],
    seenIn: 'Micronaut and Go handlers that set only the status',
    ...onResponse(hasStatus(400), (response) => withText(response, '')),
  },
  'unauthorized-without-body': {
    description: 'A 401 response has no body.',
    breaks: ['ERR-2'],
    seenIn: 'ASP.NET Core’s JWT bearer handler',
    ...onResponse(hasStatus(401), (response) => withText(response, '')),
  },
  'unauthorized-in-envelope': {
    description: 'The Error of a 401 response is wrapped in an object: {"error": {…}}.',
    breaks: ['ERR-2'],
    seenIn: 'gateways with their own error format in front of the service',
    ...onResponse(hasStatus(401), (response) => withJson(response, (error) => ({ error }))),
  },
  'rejection-status-with-fraction': {
    description:
      'The status in the Error of a 400 response has a fraction that is lost when it is read as a double.',
    breaks: ['ERR-1', 'ERR-3'],
    seenIn: 'arbitrary-precision decimals printed unchanged',
    ...onResponse(hasStatus(400), (response) =>
      withText(response, textOf(response).replace('"status":400', '"status":400.0000000000000000001')),
    ),
  },
  'rejection-status-written-as-float': {
    description: 'The status in the Error of a 400 response is written with a fraction of zero: 400.0.',
    warnings: ['ERR-1'],
    seenIn: 'Lua and Jansson, whose numbers are doubles; PHP with a float and JSON_PRESERVE_ZERO_FRACTION',
    ...onResponse(hasStatus(400), (response) =>
      withText(response, textOf(response).replace('"status":400', '"status":400.0')),
    ),
  },
  'rejection-with-other-status': {
    description: 'The Error of a 400 response has the status 422.',
    breaks: ['ERR-3'],
    seenIn: 'error mappers that change the response but not its body',
    ...onResponse(hasStatus(400), (response) => withJson(response, (error) => ({ ...error, status: 422 }))),
  },
  'unauthorized-with-other-status': {
    description: 'The Error of a 401 response has the status 403.',
    breaks: ['ERR-3'],
    seenIn: 'error mappers that change the response but not its body',
    ...onResponse(hasStatus(401), (response) => withJson(response, (error) => ({ ...error, status: 403 }))),
  },
  'empty-code': {
    description: 'The code of every Error is empty.',
    warnings: ['ERR-4'],
    seenIn: 'fields added only to satisfy a schema',
    ...onResponse(hasStatus(400, 401), (response) => withJson(response, (error) => ({ ...error, code: '' }))),
  },
  'empty-message': {
    description: 'The message of every Error is empty.',
    warnings: ['ERR-1', 'ERR-2'],
    seenIn: 'exceptions thrown without a text',
    ...onResponse(hasStatus(400, 401), (response) =>
      withJson(response, (error) => ({ ...error, message: '' })),
    ),
  },
  'code-always-different': {
    description: 'The code of every Error is a new incident number.',
    warnings: ['ERR-4'],
    seenIn: 'trace ids in the field for the code',
    ...numberingIncidents(),
  },
  'code-is-a-sentence': {
    description: 'The code of every Error is its message.',
    warnings: ['ERR-4'],
    seenIn: 'services that fill every field of a schema with the only text that they have',
    ...onResponse(hasStatus(400, 401), (response) =>
      withJson(response, (error) => ({ ...error, code: error['message'] })),
    ),
  },
  'one-code-for-all': {
    description: 'The code of every Error is "error".',
    warnings: ['ERR-4'],
    seenIn: 'one error handler whose default code is never set',
    ...onResponse(hasStatus(400, 401), (response) =>
      withJson(response, (error) => ({ ...error, code: 'error' })),
    ),
  },
  'rejection-in-envelope': {
    description: 'The Error of a 400 response is wrapped in an object: {"error": {…}}.',
    breaks: ['ERR-1'],
    seenIn: 'the errors of GitBook and Google',
    ...onResponse(hasStatus(400), (response) => withJson(response, (error) => ({ error }))),
  },
  'rejection-as-list': {
    description: 'The body of a 400 response is an array of Errors.',
    breaks: ['ERR-1'],
    seenIn: 'validators that report all problems at once; Salesforce’s REST API',
    ...onResponse(hasStatus(400), (response) => withText(response, `[${textOf(response)}]`)),
  },
  'rejection-without-message': reshaped(
    'The Error of a 400 response has no message.',
    hasStatus(400),
    'ERR-1',
    {
      reshape: ({ message: _, ...rest }) => rest,
      seenIn: 'services that keep all texts in the client',
    },
  ),
  'rejection-with-status-code': reshaped(
    'The status in the Error of a 400 response is named statusCode.',
    hasStatus(400),
    'ERR-1',
    {
      reshape: ({ status: statusCode, ...rest }) => ({ ...rest, statusCode }),
      seenIn: 'the defaults of Fastify and Nest',
    },
  ),
  'rejection-with-status-as-text': reshaped(
    'The status in the Error of a 400 response is a string.',
    hasStatus(400),
    'ERR-1',
    {
      reshape: (error) => ({ ...error, status: '400' }),
      seenIn: 'JSON:API, where status is a string',
    },
  ),
  'rejection-as-problem': reshaped(
    'The Error of a 400 response has title and detail instead of code and message.',
    hasStatus(400),
    'ERR-1',
    {
      reshape: ({ code, message, status: same }) => ({ title: code, detail: message, status: same }),
      seenIn: 'RFC 9457, as written by Spring Boot 3 and ASP.NET Core',
    },
  ),
  'malformed-json-without-code': reshaped(
    'The Error for malformed JSON, and no other, has no code.',
    isRejected('malformed_json'),
    'ERR-1',
    {
      reshape: ({ code: _, ...rest }) => rest,
      seenIn: 'errors of the parser, which never reach the service’s own handler',
    },
  ),
  'unauthorized-without-code': reshaped('The Error of a 401 response has no code.', hasStatus(401), 'ERR-2', {
    reshape: ({ message }) => ({ message, status: 401 }),
    seenIn: 'gateways that send only a message ({"message":"Unauthorized"}), such as Amazon’s and Kong’s',
  }),
  'unauthorized-with-numeric-code': reshaped(
    'The code in the Error of a 401 response is a number.',
    hasStatus(401),
    'ERR-2',
    {
      reshape: (error) => ({ ...error, code: 401 }),
      seenIn: 'Google’s JSON errors ({"code": 401})',
    },
  ),
  'unauthorized-without-status': reshaped(
    'The Error of a 401 response has no status.',
    hasStatus(401),
    'ERR-2',
    {
      reshape: ({ code, message }) => ({ code, message }),
      seenIn: 'errors whose status is only in the status line',
    },
  ),
};

/** A fault that changes the fields of some Errors. */
function reshaped(
  description: string,
  applies: Applies,
  breaks: 'ERR-1' | 'ERR-2',
  how: {
    readonly reshape: (error: Record<string, unknown>) => Record<string, unknown>;
    readonly seenIn: string;
  },
): StatedFault {
  const { reshape, seenIn } = how;
  return {
    description,
    breaks: [breaks],
    seenIn,
    ...onResponse(applies, (response) => withJson(response, reshape)),
  };
}

function numberingIncidents(): Seams {
  return remembering(hasStatus(400, 401), () => {
    let incidents = 0;
    return (response) => {
      incidents += 1;
      return withJson(response, (error) => ({ ...error, code: `incident-${incidents}` }));
    };
  });
}
