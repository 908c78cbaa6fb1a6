import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context, MiddlewareHandler } from 'hono';
import { Hono } from 'hono';
import { rateLimiter } from 'hono-rate-limiter';
import { CategoryStore, errorBody } from './category-store.ts';
import type { AppSettings, RunningApp } from './third-party.ts';
import {
  ANONYMOUS_LIMIT,
  listenOnLoopback,
  rateLimitHeaders,
  retryAfterHeader,
  validKey,
} from './third-party.ts';

/** The values that hono-rate-limiter puts in the context. */
interface LimiterState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetTime: Date | undefined;
}

interface Env {
  Variables: { rateLimit: LimiterState };
}

/** The Pet Store Service on Hono 4 with hono-rate-limiter; the middleware `before` runs before it. */
function startLimited(
  { keys, perMinute, windowSeconds }: AppSettings,
  style: 'draft-6' | false,
  ...before: readonly MiddlewareHandler<Env>[]
): Promise<RunningApp> {
  const callerOf = (context: Context) => validKey(context.req.header('Authorization'), keys);
  const app = new Hono<Env>();
  for (const middleware of before) app.use(middleware);
  app.use(
    rateLimiter<Env>({
      windowMs: windowSeconds * 1000,
      limit: (context) => (callerOf(context) === undefined ? ANONYMOUS_LIMIT : perMinute),
      keyGenerator: (context) => callerOf(context) ?? getConnInfo(context).remote.address ?? '',
      standardHeaders: style,
    }),
  );
  app.use(async (context, next) => {
    if (callerOf(context) !== undefined) return next();
    context.header('WWW-Authenticate', 'Bearer');
    return context.json(errorBody(401, 'unauthorized', 'The API key is missing or invalid.'), 401);
  });
  const categories = new CategoryStore();
  app.get('/v1/categories', (context) => context.json(categories.list()));
  app.post('/v1/categories', async (context) => {
    const created = categories.create(await context.req.json().catch(() => undefined));
    return typeof created === 'string'
      ? context.json(errorBody(400, 'invalid_category', created), 400)
      : context.json(created, 201);
  });
  app.all('*', (context) => context.json(errorBody(501, 'not_implemented', 'Not implemented yet.'), 501));
  return listenOnLoopback(createServer(getRequestListener(app.fetch)));
}

/** As in its README. */
export function startHonoRateLimiter(settings: AppSettings): Promise<RunningApp> {
  return startLimited(settings, 'draft-6');
}

/** With the headers of the specification, from the values that it puts in the context. */
export function startHonoRateLimiterConfigured(settings: AppSettings): Promise<RunningApp> {
  return startLimited(settings, false, async (context, next) => {
    await next();
    const { limit, remaining, resetTime } = context.get('rateLimit');
    const resetAt = (resetTime ?? new Date()).getTime();
    const isRateLimited = context.res.status === 429;
    if (isRateLimited) {
      context.res = context.json(errorBody(429, 'too_many_requests', 'Too many requests.'), 429);
    }
    const headers = {
      ...rateLimitHeaders({ limit, remaining, resetAt }),
      ...(isRateLimited ? retryAfterHeader(resetAt) : {}),
    };
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
  });
}
