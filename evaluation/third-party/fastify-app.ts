import type { AddressInfo } from 'node:net';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import { CategoryStore, errorBody } from './category-store.ts';
import type { AppSettings, RunningApp } from './third-party.ts';
import { ANONYMOUS_LIMIT, validKey } from './third-party.ts';

/** The Pet Store Service on Fastify 5 with the defaults of @fastify/rate-limit: its Reset is a number of seconds. */
export function startFastifyRateLimit(settings: AppSettings): Promise<RunningApp> {
  return start(Fastify({ forceCloseConnections: true }), settings);
}

/** The same with Reset as a Unix timestamp: the current time plus its number of seconds. */
export function startFastifyRateLimitConfigured(settings: AppSettings): Promise<RunningApp> {
  const app = Fastify({ forceCloseConnections: true });
  app.addHook('onSend', async (_request, reply) => {
    const seconds = Number(reply.getHeader('x-ratelimit-reset'));
    reply.header('x-ratelimit-reset', Math.ceil(Date.now() / 1000) + seconds);
  });
  return start(app, settings);
}

async function start(app: FastifyInstance, settings: AppSettings): Promise<RunningApp> {
  const { keys, perMinute, windowSeconds, day } = settings;
  const categories = new CategoryStore();
  const addLimit = (requests: number, seconds: number) =>
    app.register(rateLimit, {
      max: (request) =>
        validKey(request.headers.authorization, keys) === undefined ? ANONYMOUS_LIMIT : requests,
      timeWindow: seconds * 1000,
      keyGenerator: (request) => validKey(request.headers.authorization, keys) ?? request.ip,
    });
  // The limiter that is registered last sets the headers: that of the minute.
  if (day !== undefined) await addLimit(day.requests, day.seconds);
  await addLimit(perMinute, windowSeconds);
  // After the limiter, which counts in the onRequest hook, and before the body is read.
  app.addHook('preParsing', async (request, reply) => {
    if (validKey(request.headers.authorization, keys) !== undefined) return;
    reply.header('WWW-Authenticate', 'Bearer');
    throw Object.assign(new Error('The API key is missing or invalid.'), { statusCode: 401 });
  });
  app.setErrorHandler<Error & { statusCode?: number }>(async (error, _request, reply) => {
    const status = error.statusCode ?? 500;
    return reply.status(status).send(errorBody(status, `http_${status}`, error.message));
  });

  const notImplemented = async (): Promise<never> => {
    throw Object.assign(new Error('Not implemented yet.'), { statusCode: 501 });
  };
  app.get('/v1/categories', async () => categories.list());
  app.post('/v1/categories', async (request, reply) => {
    const created = categories.create(request.body);
    if (typeof created === 'string')
      return reply.status(400).send(errorBody(400, 'invalid_category', created));
    return reply.status(201).send(created);
  });
  app.get('/v1/pets/:id', notImplemented);
  app.get('/v1/store/orders', notImplemented);

  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => app.close() };
}
