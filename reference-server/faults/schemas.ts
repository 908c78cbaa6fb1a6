import type { Seams } from '../seams.ts';
import {
  isList,
  mapIds,
  onReply,
  showsCategories,
  status,
  textOf,
  withItems,
  withJson,
  withText,
} from './answers.ts';
import type { Fault } from './fault.ts';

/** Faults of the chapter "Category and Error schemas". */
export const schemas: readonly Fault[] = [
  {
    id: 'id-as-string',
    says: 'Every id is a string.',
    breaks: ['CAT-1', 'LIST-2', 'CREATE-3'],
    seen: 'the usual workaround for int64 in JavaScript; Protocol Buffers’ own JSON mapping',
    ...writingIds((id) => `"${id}"`),
  },
  {
    id: 'id-with-fraction',
    says: 'Every id has a fraction.',
    breaks: ['CAT-1', 'LIST-2', 'CREATE-3'],
    seen: 'ids made of a clock in fractions of a second',
    ...writingIds((id) => `${id}.5`),
  },
  {
    id: 'id-beyond-int64',
    says: 'Every id lies beyond the int64 range.',
    breaks: ['CAT-1', 'LIST-2', 'CREATE-3'],
    seen: 'unsigned 64-bit ids, hashes used as ids',
    ...writingIds((id) => String(2n ** 63n + BigInt(id))),
  },
  {
    id: 'old-item-without-id',
    says: 'One old item of the list has an id of null.',
    breaks: ['CAT-1', 'LIST-2'],
    seen: 'rows from before a migration',
    ...listing({ id: null, name: 'legacy' }),
  },
  {
    id: 'old-item-without-name',
    says: 'One old item of the list has no name.',
    breaks: ['CAT-2', 'LIST-2'],
    seen: 'rows from before a migration',
    ...listing({ id: 0, title: 'legacy' }),
  },
  {
    id: 'old-item-with-null-name',
    says: 'One old item of the list has a name of null.',
    breaks: ['CAT-2', 'LIST-2'],
    seen: 'rows from before a migration',
    ...listing({ id: 0, name: null }),
  },
  {
    id: 'old-item-with-other-description',
    says: 'One old item of the list has a description that is an object.',
    breaks: ['CAT-3', 'LIST-2'],
    seen: 'rows from before a migration',
    ...listing({ id: 0, name: 'legacy', description: { en: 'old' } }),
  },
  {
    id: 'null-description',
    says: 'A description that was not sent is null.',
    breaks: [],
    warns: ['CAT-3'],
    seen: 'schemathesis#899, open-education-api#394; most serialisers by default',
    ...onReply(showsCategories, (reply) => {
      const full = (category: Record<string, unknown>) => ({ description: null, ...category });
      return reply.status === 201 ? withJson(reply, full) : withItems(reply, (items) => items.map(full));
    }),
  },
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
    id: 'code-never-the-same',
    says: 'The code of every Error is the number of the incident.',
    breaks: [],
    warns: ['ERR-4'],
    seen: 'trace ids put where the code belongs',
    ...numberingIncidents(),
  },
];

function writingIds(write: (id: string) => string): Seams {
  return onReply(showsCategories, (reply) => withText(reply, mapIds(textOf(reply), write)));
}

/** Shows one more item in the first place of the list. */
function listing(item: Readonly<Record<string, unknown>>): Seams {
  return onReply(isList, (reply) => withItems(reply, (items) => [item, ...items]));
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
