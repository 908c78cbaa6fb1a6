import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { rateLimiter } from 'hono-rate-limiter';
import { listening } from '../../testing/tools/listening.ts';
import type { AppSettings, ParsedBody, Parts, RunningApp, Stored } from './app.ts';
import { ANONYMOUS_LIMIT, errorBody, PARTS, rateLimitHeaders, retryAfterHeader, validKey } from './app.ts';

/** The parts of a service on Hono 4, besides those of every app. */
interface HonoParts extends Parts {
  readonly bodyOf: (context: Context) => Promise<ParsedBody>;
  readonly handlesErrors: boolean;
  /** Whether a failed check or validation is thrown, and not written. */
  readonly throws: boolean;
}

const HONO: HonoParts = {
  ...PARTS,
  bodyOf: async (context) => {
    const body: unknown = await context.req.json().catch(() => undefined);
    return typeof body === 'object' && body !== null ? (body as ParsedBody) : undefined;
  },
  handlesErrors: true,
  throws: false,
};

interface Env {
  Variables: { rateLimit: { limit: number; remaining: number; resetTime: Date | undefined } };
}

/** Starts a service on Hono 4 with hono-rate-limiter, conforming but for these parts. */
export function startHono(
  { keys, perMinute, windowSeconds }: AppSettings,
  changed: Partial<HonoParts> = {},
): Promise<RunningApp> {
  const parts = { ...HONO, ...changed };
  const app = new Hono<Env>();
  const callerOf = (context: Context) => validKey(context.req.header('Authorization'), keys);
  // As the specification has them, from the values that hono-rate-limiter puts in the context.
  app.use(async (context, next) => {
    await next();
    const { limit, remaining, resetTime } = context.get('rateLimit');
    const resetAt = (resetTime ?? new Date()).getTime();
    const isLimited = context.res.status === 429;
    if (isLimited) context.res = context.json(errorBody(429, 'too_many_requests', 'Too many requests.'), 429);
    const headers = {
      ...rateLimitHeaders({ limit, remaining, resetAt }),
      ...(isLimited ? retryAfterHeader(resetAt) : {}),
    };
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
  });
  app.use(
    rateLimiter<Env>({
      windowMs: 1000 * windowSeconds,
      limit: (context) => (callerOf(context) === undefined ? ANONYMOUS_LIMIT : perMinute),
      keyGenerator: (context) => callerOf(context) ?? getConnInfo(context).remote.address ?? '',
      standardHeaders: false,
    }),
  );
  if (parts.handlesErrors)
    app.onError((error, context) => {
      const status = error instanceof HTTPException ? error.status : 500;
      const body = { code: `http_${status}`, message: error.message || 'The request failed.', status };
      return context.json(body, status as ContentfulStatusCode);
    });
  const rejected = (context: Context, { status, body }: Parts['invalid']): Response => {
    if (parts.throws) throw new HTTPException(status as ContentfulStatusCode, { message: 'No.' });
    return context.json(body as object, status as ContentfulStatusCode);
  };
  app.use(async (context, next) => {
    if (parts.keyOf(context.req.header('Authorization'), keys) !== undefined) return next();
    context.header('WWW-Authenticate', 'Bearer');
    return rejected(context, parts.unauthorized);
  });
  const categories: Stored[] = [];
  app.get('/v1/categories', (context) => context.json(parts.listed(categories) as object));
  app.post('/v1/categories', async (context) => {
    const body = await parts.bodyOf(context);
    if (!parts.isValid(body)) return rejected(context, parts.invalid);
    const category = parts.stored(categories.length + 1, body);
    categories.push(category);
    return context.json(category, parts.created as ContentfulStatusCode);
  });
  app.all('*', (context) => context.json(errorBody(501, 'not_implemented', 'Not implemented yet.'), 501));
  return listening(createServer(getRequestListener(app.fetch)));
}
