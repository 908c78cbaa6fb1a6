import {
  changingJson,
  changingText,
  hasStatus,
  isRejected,
  remembering,
  withJson,
} from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

/** Faults of the chapter "Category and Error schemas": Errors. */
export const errors: StatedFaults = {
  'rejection-without-code': {
    description: 'The Error of a 400 response has no code.',
    breaks: ['ERR-1'],
    seenIn: 'the defaults of Fastify and Nest, which send statusCode, error and message',
    ...changingJson(hasStatus(400), ({ code: _, ...rest }) => rest),
  },
  'rejection-with-numeric-code': {
    description: 'The code in the Error of a 400 response is a number.',
    breaks: ['ERR-1'],
    seenIn: 'Google’s JSON errors ({"code": 400})',
    ...changingJson(hasStatus(400), (error) => ({ ...error, code: 400 })),
  },
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
    ...changingText(hasStatus(400), () => ''),
  },
  'unauthorized-without-body': {
    description: 'A 401 response has no body.',
    breaks: ['ERR-2'],
    seenIn: 'ASP.NET Core’s JWT bearer handler',
    ...changingText(hasStatus(401), () => ''),
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
  'unauthorized-with-other-status': {
    description: 'The Error of a 401 response has the status 403.',
    breaks: ['ERR-3'],
    seenIn: 'error mappers that change the response but not its body',
    ...changingJson(hasStatus(401), (error) => ({ ...error, status: 403 })),
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
    ...remembering(hasStatus(400, 401), () => {
      let incidents = 0;
      return (response) => {
        incidents += 1;
        return withJson(response, (error) => ({ ...error, code: `incident-${incidents}` }));
      };
    }),
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
  'rejection-in-envelope': {
    description: 'The Error of a 400 response is wrapped in an object: {"error": {…}}.',
    breaks: ['ERR-1'],
    seenIn: 'the errors of GitBook and Google',
    ...changingJson(hasStatus(400), (error) => ({ error })),
  },
  'rejection-as-list': {
    description: 'The body of a 400 response is an array of Errors.',
    breaks: ['ERR-1'],
    seenIn: 'validators that report all problems at once; Salesforce’s REST API',
    ...changingText(hasStatus(400), (text) => `[${text}]`),
  },
  'rejection-without-message': {
    description: 'The Error of a 400 response has no message.',
    breaks: ['ERR-1'],
    seenIn: 'services that keep all texts in the client',
    ...changingJson(hasStatus(400), ({ message: _, ...rest }) => rest),
  },
  'rejection-with-status-code': {
    description: 'The status in the Error of a 400 response is named statusCode.',
    breaks: ['ERR-1'],
    seenIn: 'the defaults of Fastify and Nest',
    ...changingJson(hasStatus(400), ({ status: statusCode, ...rest }) => ({ ...rest, statusCode })),
  },
  'rejection-with-status-as-text': {
    description: 'The status in the Error of a 400 response is a string.',
    breaks: ['ERR-1'],
    seenIn: 'JSON:API, where status is a string',
    ...changingJson(hasStatus(400), (error) => ({ ...error, status: '400' })),
  },
  'rejection-as-problem': {
    description: 'The Error of a 400 response has title and detail instead of code and message.',
    breaks: ['ERR-1'],
    seenIn: 'RFC 9457, as written by Spring Boot 3 and ASP.NET Core',
    ...changingJson(hasStatus(400), ({ code, message, status: same }) => ({
      title: code,
      detail: message,
      status: same,
    })),
  },
  'malformed-json-without-code': {
    description: 'The Error for malformed JSON, and no other, has no code.',
    breaks: ['ERR-1'],
    seenIn: 'errors of the parser, which never reach the service’s own handler',
    ...changingJson(isRejected('malformed_json'), ({ code: _, ...rest }) => rest),
  },
  'unauthorized-without-code': {
    description: 'The Error of a 401 response has no code.',
    breaks: ['ERR-2'],
    seenIn: 'gateways that send only a message ({"message":"Unauthorized"}), such as Amazon’s and Kong’s',
    ...changingJson(hasStatus(401), ({ message }) => ({ message, status: 401 })),
  },
  'unauthorized-with-numeric-code': {
    description: 'The code in the Error of a 401 response is a number.',
    breaks: ['ERR-2'],
    seenIn: 'Google’s JSON errors ({"code": 401})',
    ...changingJson(hasStatus(401), (error) => ({ ...error, code: 401 })),
  },
  'unauthorized-without-status': {
    description: 'The Error of a 401 response has no status.',
    breaks: ['ERR-2'],
    seenIn: 'errors whose status is only in the status line',
    ...changingJson(hasStatus(401), ({ code, message }) => ({ code, message })),
  },
};
