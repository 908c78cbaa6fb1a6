import { createServer } from 'node:http';
import type { Context, Middleware, Next } from 'koa';
import Koa from 'koa';
import ratelimit from 'koa-ratelimit';
import type { AppSettings, ParsedBody, Parts, RunningApp, Stored } from './app.ts';
import {
  ANONYMOUS_LIMIT,
  errorBody,
  listenOnLoopback,
  PARTS,
  rateLimitHeaders,
  readJson,
  retryAfterHeader,
  validKey,
} from './app.ts';

/** The parts of a service on Koa 3, besides those of every app. It shows no framework, so it gets the fixes of any. */
interface KoaParts extends Parts {
  readonly order: readonly ('catch' | 'limit' | 'check' | 'named')[];
  readonly bodyOf: (context: Context) => Promise<ParsedBody>;
  readonly credentials: (context: Context) => string | undefined;
  readonly isChecked: (context: Context) => boolean;
  /** Its own, or koa-ratelimit. */
  readonly limiter: (parts: KoaParts, settings: AppSettings) => readonly Middleware[];
  /** Those that its own limiter writes. */
  readonly headers: (state: { limit: number; remaining: number; resetAt: number }) => Record<string, string>;
  /** Headers of a 429, and its body. */
  readonly limited: (context: Context, resetAt: number) => void;
  /** The path of the categories, and where that of the specification is redirected. */
  readonly path: string;
  /** Whether a failed check or validation is thrown, and not written. */
  readonly throws: boolean;
}

/** The body of a request, if it is a JSON object. */
export const KOA_BODY: KoaParts['bodyOf'] = async ({ req }) => {
  const body = await readJson(req);
  return typeof body === 'object' && body !== null ? (body as ParsedBody) : undefined;
};

const KOA: KoaParts = {
  ...PARTS,
  order: ['catch', 'limit', 'check', 'named'],
  bodyOf: KOA_BODY,
  credentials: (context) => context.get('Authorization'),
  isChecked: () => true,
  limiter: (parts, settings) => [ownLimiter(parts, settings)],
  headers: rateLimitHeaders,
  limited: (context, resetAt) => {
    context.set(retryAfterHeader(resetAt));
    context.body = errorBody(429, 'too_many_requests', 'Too many requests.');
  },
  path: '/v1/categories',
  throws: false,
};

/** Starts a service on Koa 3 with a limiter of its own, conforming but for these parts. */
export function startKoa(settings: AppSettings, changed: Partial<KoaParts> = {}): Promise<RunningApp> {
  const parts = { ...KOA, ...changed };
  const app = new Koa();
  app.silent = true;
  for (const name of parts.order) {
    for (const one of [MIDDLEWARE[name](parts, settings)].flat()) app.use(one);
  }
  app.use(categoriesOf(parts));
  return listenOnLoopback(createServer(app.callback()));
}

function respond(context: Context, { status, body }: { readonly status: number; readonly body: unknown }) {
  context.status = status;
  context.body = body;
}

const rejected = (context: Context, { throws }: KoaParts, answer: Parts['invalid']): void =>
  throws ? context.throw(answer.status) : respond(context, answer);

type Made = Middleware | readonly Middleware[];

const MIDDLEWARE: Readonly<
  Record<KoaParts['order'][number], (parts: KoaParts, settings: AppSettings) => Made>
> = {
  catch: () => async (context, next) => {
    try {
      await next();
    } catch (error) {
      const { status = 500 } = error as { readonly status?: number };
      respond(context, { status, body: errorBody(status, `http_${status}`, 'The request failed.') });
    }
  },
  limit: (parts, settings) => parts.limiter(parts, settings),
  check:
    (parts, { keys }) =>
    async (context, next) => {
      if (!parts.isChecked(context) || parts.keyOf(parts.credentials(context), keys) !== undefined)
        return next();
      context.set('WWW-Authenticate', 'Bearer');
      rejected(context, parts, parts.unauthorized);
    },
  named: () => async (context, next) => {
    if (!/^\/v1\/(pets\/|store\/orders)/.test(context.path)) return next();
    context.body = [];
  },
};

function categoriesOf(parts: KoaParts): Middleware {
  const categories: Stored[] = [];
  return async (context) => {
    const path = context.path.toLowerCase();
    if (path !== parts.path && path === '/v1/categories') return context.redirect(`${path}/`);
    if (path !== parts.path)
      return respond(context, { status: 404, body: errorBody(404, 'not_found', 'No such path.') });
    if (context.method === 'GET') return respond(context, { status: 200, body: parts.listed(categories) });
    const body = await parts.bodyOf(context);
    if (!parts.isValid(body)) return rejected(context, parts, parts.invalid);
    const category = parts.stored(categories.length + 1, body);
    categories.push(category);
    return respond(context, { status: parts.created, body: category });
  };
}

/** A window for each caller, which begins with its first request. */
function ownLimiter(parts: KoaParts, { keys, perMinute, windowSeconds }: AppSettings): Middleware {
  const windows = new Map<string, { used: number; resetAt: number }>();
  return async (context: Context, next: Next) => {
    const caller = validKey(context.get('Authorization'), keys);
    const known = windows.get(caller ?? context.ip);
    const begun = { used: 0, resetAt: Date.now() + 1000 * windowSeconds };
    const window = known === undefined || known.resetAt <= Date.now() ? begun : known;
    windows.set(caller ?? context.ip, window);
    window.used += 1;
    const limit = caller === undefined ? ANONYMOUS_LIMIT : perMinute;
    const { resetAt } = window;
    const remaining = Math.min(perMinute, limit - window.used);
    context.set(parts.headers({ limit: perMinute, remaining, resetAt }));
    if (window.used <= limit) return next();
    context.status = 429;
    parts.limited(context, resetAt);
  };
}

/** koa-ratelimit in memory, as in its README. */
export const koaRatelimit: KoaParts['limiter'] = (_, { keys, perMinute, windowSeconds }) => {
  const callerOf = (context: Context) => validKey(context.get('Authorization'), keys);
  const limiter = (max: number, id: (context: Context) => string | false): Middleware =>
    ratelimit({ driver: 'memory', db: new Map(), duration: windowSeconds * 1000, max, id });
  return [
    limiter(perMinute, (context) => callerOf(context) ?? false),
    limiter(ANONYMOUS_LIMIT, (context) => callerOf(context) === undefined && context.ip),
  ];
};

/** koa-ratelimit with Reset and Retry-After rounded up from its Reset, and with an Error as the body of a 429. */
export const koaRatelimitConfigured: KoaParts['limiter'] = (parts, settings) => [
  async (context, next) => {
    await next();
    const { response } = context;
    const resetAt = 1000 * Number(response.get('X-RateLimit-Reset'));
    const [limit = 0, remaining = 0] = ['Limit', 'Remaining'].map((name) =>
      Number(response.get(`X-RateLimit-${name}`)),
    );
    context.set(rateLimitHeaders({ limit, remaining, resetAt }));
    if (context.status === 429) parts.limited(context, resetAt);
  },
  ...koaRatelimit(parts, settings),
];
