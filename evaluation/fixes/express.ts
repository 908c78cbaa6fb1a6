import { createServer } from 'node:http';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import express from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { errorBody } from '../third-party/category-store.ts';
import type { RunningApp } from '../third-party/third-party.ts';
import { listenOnLoopback, validKey } from '../third-party/third-party.ts';
import type { ParsedBody, Parts, Stored } from './app.ts';
import { ANONYMOUS, KEYS, LIMIT, PARTS } from './app.ts';

/** The parts of a service on Express 5, besides those of every app. */
interface ExpressParts extends Parts {
  /** The middleware before the routes, in its order; `named` are the operations that the specification only names. */
  readonly order: readonly ('limit' | 'check' | 'parse' | 'validate' | 'named')[];
  readonly bodyOf: (request: Request) => ParsedBody;
  /** What the check of the key is given. */
  readonly credentials: (request: Request) => string | undefined;
  /** Whether the key is checked for this request at all. */
  readonly isChecked: (request: Request) => boolean;
  readonly headers: 'legacy' | 'draft' | 'none';
  readonly limitedBody: object | string;
  readonly onError: ErrorRequestHandler | undefined;
}

const onError: ErrorRequestHandler = (
  error: { status?: number; type?: string; message?: string },
  _request,
  response,
  _next,
) => {
  const status = error.status ?? 500;
  response.status(status).json({ code: error.type ?? 'error', message: error.message, status });
};

const EXPRESS: ExpressParts = {
  ...PARTS,
  order: ['limit', 'check', 'parse', 'named'],
  bodyOf: (request) => (request.body ?? {}) as ParsedBody,
  credentials: (request) => request.get('Authorization'),
  isChecked: () => true,
  headers: 'legacy',
  limitedBody: errorBody(429, 'too_many_requests', 'Too many requests.'),
  onError,
};

/** Starts a service on Express 5 with express-rate-limit, conforming but for these parts. */
export function startExpress(changed: Partial<ExpressParts> = {}): Promise<RunningApp> {
  const parts = { ...EXPRESS, ...changed };
  const app = express();
  for (const name of parts.order) app.use(MIDDLEWARE[name](parts));
  const categories: Stored[] = [];
  app.get('/v1/categories', (_request, response) => void response.json(parts.listed(categories)));
  app.post('/v1/categories', (request, response) => {
    const body = parts.bodyOf(request);
    if (!parts.isValid(body)) return void response.status(parts.invalid.status).send(parts.invalid.body);
    const category = parts.stored(categories.length + 1, body);
    categories.push(category);
    response.status(parts.created).json(category);
  });
  app.use(
    (_request, response) => void response.status(404).json(errorBody(404, 'not_found', 'No such path.')),
  );
  if (parts.onError !== undefined) app.use(parts.onError);
  return listenOnLoopback(createServer(app));
}

const MIDDLEWARE: Readonly<Record<ExpressParts['order'][number], (parts: ExpressParts) => RequestHandler>> = {
  limit: ({ headers, limitedBody }) => {
    const callerOf = (request: Request) => validKey(request.get('Authorization'), KEYS);
    return rateLimit({
      windowMs: 1000 * LIMIT.minuteSeconds,
      limit: (request) => (callerOf(request) === undefined ? ANONYMOUS : LIMIT.perMinute),
      keyGenerator: (request) =>
        /^Bearer +(\S+)$/i.exec(request.get('Authorization') ?? '')?.[1] ?? ipKeyGenerator(request.ip ?? ''),
      legacyHeaders: headers === 'legacy',
      standardHeaders: headers === 'draft' ? 'draft-8' : false,
      message: limitedBody,
    });
  },
  check:
    ({ keyOf, credentials, isChecked, unauthorized }) =>
    (request, response, next) => {
      if (!isChecked(request) || keyOf(credentials(request)) !== undefined) return next();
      response.set('WWW-Authenticate', 'Bearer').status(unauthorized.status).send(unauthorized.body);
    },
  parse: () => express.json(),
  validate: (parts) => (request, response, next) => {
    if (request.method !== 'POST' || parts.isValid(parts.bodyOf(request))) next();
    else response.status(parts.invalid.status).send(parts.invalid.body);
  },
  named: () => (request, response, next) => {
    if (/^\/v1\/(pets\/|store\/orders)/.test(request.path)) response.json([]);
    else next();
  },
};
