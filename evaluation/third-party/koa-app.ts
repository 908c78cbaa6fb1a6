import { createServer } from 'node:http';
import type { Context, Middleware } from 'koa';
import Koa from 'koa';
import ratelimit from 'koa-ratelimit';
import { Categories, errorBody } from './category-store.ts';
import type { AppSettings, RunningApp } from './third-party.ts';
import { ANONYMOUS_LIMIT, listen, readJson, specified, validKey, waiting } from './third-party.ts';

/** The Pet Store Service on Koa 3, limited by koa-ratelimit in memory; `before` goes in front of it. */
function startLimited({ keys, perMinute, windowSeconds }: AppSettings, ...before: readonly Middleware[]) {
  const callerOf = (context: Context) => validKey(context.get('Authorization'), keys);
  const limiting = (max: number, id: (context: Context) => string | false): Middleware =>
    ratelimit({ driver: 'memory', db: new Map(), duration: windowSeconds * 1000, max, id });
  const app = new Koa();
  for (const middleware of before) app.use(middleware);
  app.use(limiting(perMinute, (context) => callerOf(context) ?? false));
  app.use(limiting(ANONYMOUS_LIMIT, (context) => callerOf(context) === undefined && context.ip));
  app.use(routes(callerOf));
  return listen(createServer(app.callback()));
}

/** As its README shows it. */
export function startKoaRatelimit(settings: AppSettings): Promise<RunningApp> {
  return startLimited(settings);
}

/** With Reset and Retry-After rounded up from its own Reset, and an Error for a body. */
export function startKoaRatelimitConfigured(settings: AppSettings): Promise<RunningApp> {
  return startLimited(settings, async (context, next) => {
    await next();
    const { response } = context;
    const resetAt = 1000 * Number(response.get('X-RateLimit-Reset'));
    const [limit, remaining] = ['Limit', 'Remaining'].map((name) =>
      Number(response.get(`X-RateLimit-${name}`)),
    );
    context.set(specified({ limit: limit ?? 0, remaining: remaining ?? 0, resetAt }));
    if (context.status !== 429) return;
    context.body = errorBody(429, 'too_many_requests', 'Too many requests.');
    context.set(waiting(resetAt));
  });
}

function routes(callerOf: (context: Context) => string | undefined): Middleware {
  const categories = new Categories();
  return async (context) => {
    const answer = (status: number, body: unknown): void => {
      context.status = status;
      context.body = body;
    };
    if (callerOf(context) === undefined) {
      context.set('WWW-Authenticate', 'Bearer');
      return answer(401, errorBody(401, 'unauthorized', 'The API key is missing or invalid.'));
    }
    const asked = `${context.method} ${context.path}`;
    if (asked === 'GET /v1/categories') return answer(200, categories.list());
    if (asked === 'POST /v1/categories') {
      const made = categories.create(await readJson(context.req));
      return typeof made === 'string'
        ? answer(400, errorBody(400, 'invalid_category', made))
        : answer(201, made);
    }
    return answer(501, errorBody(501, 'not_implemented', 'Not implemented yet.'));
  };
}
