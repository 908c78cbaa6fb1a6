import type { Seams } from '../../reference-server/seams.ts';
import type { Applies } from './answers.ts';
import { isRefused, onReply, status, textOf, withJson, withText } from './answers.ts';
import type { Fault } from './fault.ts';

/** Faults of the chapter "Category and Error schemas": Errors. */
export const errors: readonly Fault[] = [
  {
    id: 'refusal-without-code',
    says: 'The Error of a 400 has no code.',
    breaks: ['ERR-1'],
    seen: 'Fastify and Nest defaults, which send statusCode, error and message',
    ...onReply(status(400), (reply) => withJson(reply, ({ code: _, ...rest }) => rest)),
  },
  {
    id: 'refusal-with-numeric-code',
    says: 'The code of a 400 is a number.',
    breaks: ['ERR-1'],
    seen: 'Google’s JSON errors ({"code": 400})',
    ...onReply(status(400), (reply) => withJson(reply, (error) => ({ ...error, code: 400 }))),
  },
  {
    id: 'refusal-with-list-of-messages',
    says: 'The message of a 400 is a list.',
    breaks: ['ERR-1'],
    seen: 'Nest’s ValidationPipe',
    ...onReply(status(400), (reply) =>
      withJson(reply, (error) => ({ ...error, message: [error['message']] })),
    ),
  },
  {
    id: 'refusal-without-body',
    says: 'A 400 has no body.',
    breaks: ['ERR-1'],
    seen: 'Micronaut and Go handlers that set the status alone',
    ...onReply(status(400), (reply) => withText(reply, '')),
  },
  {
    id: 'unauthorized-without-body',
    says: 'A 401 has no body.',
    breaks: ['ERR-2'],
    seen: 'ASP.NET Core’s JWT bearer handler',
    ...onReply(status(401), (reply) => withText(reply, '')),
  },
  {
    id: 'unauthorized-in-envelope',
    says: 'The Error of a 401 is wrapped in an object: {"error": {…}}.',
    breaks: ['ERR-2'],
    seen: 'gateways with an error format of their own in front of the service',
    ...onReply(status(401), (reply) => withJson(reply, (error) => ({ error }))),
  },
  {
    id: 'refusal-status-with-fraction',
    says: 'The status in the Error of a 400 has a fraction that a double rounds off.',
    breaks: ['ERR-1', 'ERR-3'],
    seen: 'arbitrary-precision decimals printed as they are',
    ...onReply(status(400), (reply) =>
      withText(reply, textOf(reply).replace('"status":400', '"status":400.0000000000000000001')),
    ),
  },
  {
    id: 'refusal-with-other-status',
    says: 'The Error of a 400 says that the status is 422.',
    breaks: ['ERR-3'],
    seen: 'error mappers that change the response and not its body',
    ...onReply(status(400), (reply) => withJson(reply, (error) => ({ ...error, status: 422 }))),
  },
  {
    id: 'unauthorized-with-other-status',
    says: 'The Error of a 401 says that the status is 403.',
    breaks: ['ERR-3'],
    seen: 'error mappers that change the response and not its body',
    ...onReply(status(401), (reply) => withJson(reply, (error) => ({ ...error, status: 403 }))),
  },
  {
    id: 'empty-code',
    says: 'The code of every Error is empty.',
    breaks: [],
    warns: ['ERR-4'],
    seen: 'fields filled in to please a schema',
    ...onReply(status(400, 401), (reply) => withJson(reply, (error) => ({ ...error, code: '' }))),
  },
  {
    id: 'empty-message',
    says: 'The message of every Error is empty.',
    breaks: [],
    warns: ['ERR-1', 'ERR-2'],
    seen: 'exceptions that were thrown without a text',
    ...onReply(status(400, 401), (reply) => withJson(reply, (error) => ({ ...error, message: '' }))),
  },
  {
    id: 'code-never-the-same',
    says: 'The code of every Error is the number of the incident.',
    breaks: [],
    warns: ['ERR-4'],
    seen: 'trace ids put where the code belongs',
    ...numberingIncidents(),
  },
  {
    id: 'refusal-in-envelope',
    says: 'The Error of a 400 is wrapped in an object: {"error": {…}}.',
    breaks: ['ERR-1'],
    seen: 'GitBook’s and Google’s errors',
    ...onReply(status(400), (reply) => withJson(reply, (error) => ({ error }))),
  },
  {
    id: 'refusal-as-list',
    says: 'The body of a 400 is an array of Errors.',
    breaks: ['ERR-1'],
    seen: 'validators that report everything at once; Salesforce’s REST API',
    ...onReply(status(400), (reply) => withText(reply, `[${textOf(reply)}]`)),
  },
  reshaped('refusal-without-message', 'The Error of a 400 has no message.', status(400), 'ERR-1', {
    reshape: ({ message: _, ...rest }) => rest,
    seen: 'services that keep every text in the client',
  }),
  reshaped('refusal-with-status-code', 'A 400 calls its status statusCode.', status(400), 'ERR-1', {
    reshape: ({ status: statusCode, ...rest }) => ({ ...rest, statusCode }),
    seen: 'Fastify and Nest defaults',
  }),
  reshaped('refusal-with-status-as-text', 'The status of a 400 is a string.', status(400), 'ERR-1', {
    reshape: (error) => ({ ...error, status: '400' }),
    seen: 'JSON:API, where status is a string',
  }),
  reshaped(
    'refusal-as-problem',
    'A 400 has title and detail instead of code and message.',
    status(400),
    'ERR-1',
    {
      reshape: ({ code, message, status: same }) => ({ title: code, detail: message, status: same }),
      seen: 'RFC 9457, as Spring Boot 3 and ASP.NET Core write it',
    },
  ),
  reshaped(
    'malformed-json-without-code',
    'The Error of malformed JSON alone has no code.',
    isRefused('malformed_json'),
    'ERR-1',
    {
      reshape: ({ code: _, ...rest }) => rest,
      seen: 'errors of the parser, which never reach the service’s own handler',
    },
  ),
  reshaped('unauthorized-without-code', 'The Error of a 401 has no code.', status(401), 'ERR-2', {
    reshape: ({ message }) => ({ message, status: 401 }),
    seen: 'gateways that know only a message ({"message":"Unauthorized"}, Amazon’s and Kong’s)',
  }),
  reshaped('unauthorized-with-numeric-code', 'The code of a 401 is a number.', status(401), 'ERR-2', {
    reshape: (error) => ({ ...error, code: 401 }),
    seen: 'Google’s JSON errors ({"code": 401})',
  }),
  reshaped('unauthorized-without-status', 'The Error of a 401 has no status.', status(401), 'ERR-2', {
    reshape: ({ code, message }) => ({ code, message }),
    seen: 'errors whose status is left to HTTP',
  }),
];

/** A fault that gives some Errors other fields. */
function reshaped(
  id: string,
  says: string,
  applies: Applies,
  breaks: 'ERR-1' | 'ERR-2',
  how: {
    readonly reshape: (error: Record<string, unknown>) => Record<string, unknown>;
    readonly seen: string;
  },
): Fault {
  const { reshape, seen } = how;
  return { id, says, breaks: [breaks], seen, ...onReply(applies, (reply) => withJson(reply, reshape)) };
}

function numberingIncidents(): Seams {
  return {
    wrapService(answer) {
      let incidents = 0;
      return (request) => {
        const outcome = answer(request);
        if (outcome.kind !== 'response' || !status(400, 401)(outcome, request)) return outcome;
        incidents += 1;
        return withJson(outcome, (error) => ({ ...error, code: `incident-${incidents}` }));
      };
    },
  };
}
