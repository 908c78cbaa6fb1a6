import type { AddressInfo } from 'node:net';
import rateLimit from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import type { AppSettings, ParsedBody, Parts, RunningApp, Stored } from './app.ts';
import { ANONYMOUS_LIMIT, errorBody, PARTS, validKey } from './app.ts';

/** The parts of a service on Fastify 5, besides those of every app. */
interface FastifyParts extends Parts {
  readonly bodyOf: (request: FastifyRequest) => ParsedBody;
  /** The hook in which the key is checked. */
  readonly checkedIn: 'preParsing' | 'onRequest';
  /** Whether the route has a schema of its body, and whether types are converted for it. */
  readonly schema: 'exact' | 'converting' | 'none';
  /** As the specification has them; as shipped, where Reset is a number of seconds; or those of a draft. */
  readonly headers: 'legacy' | 'shipped' | 'draft';
  readonly handlesErrors: boolean;
}

const FASTIFY: FastifyParts = {
  ...PARTS,
  bodyOf: (request) => (request.body ?? {}) as ParsedBody,
  checkedIn: 'preParsing',
  schema: 'exact',
  headers: 'legacy',
  handlesErrors: true,
};

const NEW_CATEGORY = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, description: { type: 'string' } },
};

/** Starts a service on Fastify 5 with @fastify/rate-limit, conforming but for these parts. */
export async function startFastify(
  { keys, perMinute, windowSeconds, day }: AppSettings,
  changed: Partial<FastifyParts> = {},
): Promise<RunningApp> {
  const parts = { ...FASTIFY, ...changed };
  const { schema, headers, handlesErrors, checkedIn, unauthorized, invalid } = parts;
  const app = Fastify({
    forceCloseConnections: true,
    ajv: { customOptions: { coerceTypes: schema === 'converting' } },
  });
  const check = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
    parts.keyOf(request.headers.authorization, keys) === undefined
      ? reply.header('WWW-Authenticate', 'Bearer').code(unauthorized.status).send(unauthorized.body)
      : undefined;
  if (checkedIn === 'onRequest') app.addHook('onRequest', check);
  else app.addHook('preParsing', async (request, reply) => void (await check(request, reply)));
  const callerOf = (request: FastifyRequest) => validKey(request.headers.authorization, keys);
  const addLimit = (requests: number, seconds: number) =>
    app.register(rateLimit, {
      max: (request) => (callerOf(request) === undefined ? ANONYMOUS_LIMIT : requests),
      timeWindow: 1000 * seconds,
      keyGenerator: (request) => callerOf(request) ?? request.ip,
      enableDraftSpec: headers === 'draft',
    });
  // The limiter that is registered last sets the headers: that of the minute.
  if (day !== undefined) await addLimit(day.requests, day.seconds);
  await addLimit(perMinute, windowSeconds);
  if (headers === 'legacy')
    app.addHook('onSend', async (_request, reply) => {
      const left = reply.getHeader('x-ratelimit-reset');
      if (left !== undefined) reply.header('x-ratelimit-reset', Math.ceil(Date.now() / 1000) + Number(left));
    });
  if (handlesErrors)
    app.setErrorHandler<Error & { statusCode?: number; code?: string }>((error, _request, reply) => {
      const status = error.statusCode ?? 500;
      reply.code(status).send({ code: error.code ?? 'error', message: error.message, status });
    });
  const categories: Stored[] = [];
  app.get('/v1/categories', async () => parts.listed(categories));
  const options = schema === 'none' ? {} : { schema: { body: NEW_CATEGORY } };
  app.post('/v1/categories', options, async (request, reply) => {
    const body = parts.bodyOf(request);
    if (!parts.isValid(body)) return reply.code(invalid.status).send(invalid.body);
    const category = parts.stored(categories.length + 1, body);
    categories.push(category);
    return reply.code(parts.created).send(category);
  });
  const notImplemented = async (_request: FastifyRequest, reply: FastifyReply) =>
    reply.code(501).send(errorBody(501, 'not_implemented', 'Not implemented yet.'));
  app.get('/v1/pets/:id', notImplemented);
  app.get('/v1/store/orders', notImplemented);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => app.close() };
}
