import { createServer } from 'node:http';
import type { Context, Middleware } from 'koa';
import Koa from 'koa';
import ratelimit from 'koa-ratelimit';
import { CategoryStore, errorBody } from './category-store.ts';
import type { AppSettings, RunningApp } from './third-party.ts';
import {
  ANONYMOUS_LIMIT,
  listenOnLoopback,
  rateLimitHeaders,
  readJson,
  retryAfterHeader,
  validKey,
} from './third-party.ts';

/** The Pet Store Service on Koa 3 with koa-ratelimit in memory; the middleware `before` runs before it. */
function startLimited({ keys, perMinute, windowSeconds }: AppSettings, ...before: readonly Middleware[]) {
  const callerOf = (context: Context) => validKey(context.get('Authorization'), keys);
  const limiter = (max: number, id: (context: Context) => string | false): Middleware =>
    ratelimit({ driver: 'memory', db: new Map(), duration: windowSeconds * 1000, max, id });
  const app = new Koa();
  for (const middleware of before) app.use(middleware);
  app.use(limiter(perMinute, (context) => callerOf(context) ?? false));
  app.use(limiter(ANONYMOUS_LIMIT, (context) => callerOf(context) === undefined && context.ip));
  app.use(routes(callerOf));
  return listenOnLoopback(createServer(app.callback()));
}

/** As in its README. */
export function startKoaRatelimit(settings: AppSettings): Promise<RunningApp> {
  return startLimited(settings);
}

/** With Reset and Retry-After rounded up from its Reset, and with an Error as the body of a 429. */
export function startKoaRatelimitConfigured(settings: AppSettings): Promise<RunningApp> {
  return startLimited(settings, async (context, next) => {
    await next();
    const { response } = context;
    const resetAt = 1000 * Number(response.get('X-RateLimit-Reset'));
    const [limit, remaining] = ['Limit', 'Remaining'].map((name) =>
      Number(response.get(`X-RateLimit-${name}`)),
    );
    context.set(rateLimitHeaders({ limit: limit ?? 0, remaining: remaining ?? 0, resetAt }));
    if (context.status !== 429) return;
    context.body = errorBody(429, 'too_many_requests', 'Too many requests.');
    context.set(retryAfterHeader(resetAt));
  });
}

function routes(callerOf: (context: Context) => string | undefined): Middleware {
  const categories = new CategoryStore();
  return async (context) => {
    const respond = (status: number, body: unknown): void => {
      context.status = status;
      context.body = body;
    };
    if (callerOf(context) === undefined) {
      context.set('WWW-Authenticate', 'Bearer');
      return respond(401, errorBody(401, 'unauthorized', 'The API key is missing or invalid.'));
    }
    const operation = `${context.method} ${context.path}`;
    if (operation === 'GET /v1/categories') return respond(200, categories.list());
    if (operation === 'POST /v1/categories') {
      const created = categories.create(await readJson(context.req));
      return typeof created === 'string'
        ? respond(400, errorBody(400, 'invalid_category', created))
        : respond(201, created);
    }
    return respond(501, errorBody(501, 'not_implemented', 'Not implemented yet.'));
  };
}
