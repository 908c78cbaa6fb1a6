import { createServer } from 'node:http';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import express from 'express';
import type { AppSettings, ParsedBody, Parts, RunningApp, Stored } from './app.ts';
import { errorBody, listenOnLoopback, PARTS } from './app.ts';
import { expressRateLimit } from './express-limiters.ts';

/** The parts of a service on Express 5, besides those of every app. */
interface ExpressParts extends Parts {
  /** The middleware before the routes, in its order; `named` are the operations that the specification only names. */
  readonly order: readonly ('limit' | 'check' | 'parse' | 'validate' | 'named')[];
  readonly bodyOf: (request: Request) => ParsedBody;
  /** What the check of the key is given. */
  readonly credentials: (request: Request) => string | undefined;
  /** Whether the key is checked for this request at all. */
  readonly isChecked: (request: Request) => boolean;
  readonly limiter: (settings: AppSettings) => RequestHandler;
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
  limiter: expressRateLimit(),
  onError,
};

/** Starts a service on Express 5 with express-rate-limit, conforming but for these parts. */
export function startExpress(
  settings: AppSettings,
  changed: Partial<ExpressParts> = {},
): Promise<RunningApp> {
  const parts = { ...EXPRESS, ...changed };
  const app = express();
  for (const name of parts.order) app.use(MIDDLEWARE[name](parts, settings));
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

const MIDDLEWARE: Readonly<
  Record<ExpressParts['order'][number], (parts: ExpressParts, settings: AppSettings) => RequestHandler>
> = {
  limit: ({ limiter }, settings) => limiter(settings),
  check:
    ({ keyOf, credentials, isChecked, unauthorized }, { keys }) =>
    (request, response, next) => {
      if (!isChecked(request) || keyOf(credentials(request), keys) !== undefined) return next();
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
