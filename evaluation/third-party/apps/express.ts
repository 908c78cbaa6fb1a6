import { createServer } from 'node:http';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import express from 'express';
import type { Options } from 'express-rate-limit';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { listening } from '../../testing/tools/listening.ts';
import type { AppSettings, ParsedBody, Parts, RunningApp, Stored } from './app.ts';
import { ANONYMOUS_LIMIT, errorBody, PARTS, validKey } from './app.ts';

/** The parts of a service on Express 5, besides those of every app. */
export interface ExpressParts extends Parts {
  /** Whether a header of its responses shows the framework; where none does, the report has the fixes of any. */
  readonly isNamed: boolean;
  /** The middleware before the routes, in its order; `named` are the operations that the specification only names. */
  readonly order: readonly (keyof typeof MIDDLEWARE)[];
  readonly bodyOf: (request: Request) => ParsedBody;
  /** What the check of the key is given. */
  readonly credentials: (request: Request) => string | undefined;
  /** Whether the key is checked for this request at all. */
  readonly isChecked: (request: Request) => boolean;
  /** Options of express-rate-limit. As it is shipped, it conforms but for the body of its 429. */
  readonly limiter: Partial<Options>;
  /** Writes the response to a request without a valid key or body. */
  readonly reject: (response: Response, answer: Parts['invalid']) => void;
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
  isNamed: true,
  order: ['limit', 'check', 'parse', 'named'],
  bodyOf: (request) => (request.body ?? {}) as ParsedBody,
  credentials: (request) => request.get('Authorization'),
  isChecked: () => true,
  limiter: { message: errorBody(429, 'too_many_requests', 'Too many requests.') },
  reject: (response, { status, body }) => void response.status(status).send(body),
  onError,
};

/** Starts a service on Express 5 with express-rate-limit, conforming but for these parts. */
export function startExpress(
  settings: AppSettings,
  changed: Partial<ExpressParts> = {},
): Promise<RunningApp> {
  const parts = { ...EXPRESS, ...changed };
  const app = express().set('x-powered-by', parts.isNamed);
  for (const name of parts.order) app.use(MIDDLEWARE[name](parts, settings));
  const categories: Stored[] = [];
  app.get('/v1/categories', (_request, response) => void response.json(parts.listed(categories)));
  app.post('/v1/categories', (request, response) => {
    const body = parts.bodyOf(request);
    if (!parts.isValid(body)) return parts.reject(response, parts.invalid);
    const category = parts.stored(categories.length + 1, body);
    categories.push(category);
    response.status(parts.created).json(category);
  });
  app.use(
    (_request, response) => void response.status(404).json(errorBody(404, 'not_found', 'No such path.')),
  );
  if (parts.onError !== undefined) app.use(parts.onError);
  return listening(createServer(app));
}

type Middleware = (parts: ExpressParts, settings: AppSettings) => RequestHandler;

const MIDDLEWARE = {
  limit: ({ limiter }, { keys, perMinute, windowSeconds }) => {
    const callerOf = (request: Request) => validKey(request.get('Authorization'), keys);
    return rateLimit({
      windowMs: windowSeconds * 1000,
      limit: (request) => (callerOf(request) === undefined ? ANONYMOUS_LIMIT : perMinute),
      keyGenerator: (request) => callerOf(request) ?? ipKeyGenerator(request.ip ?? ''),
      ...limiter,
    });
  },
  check:
    ({ keyOf, credentials, isChecked, unauthorized, reject }, { keys }) =>
    (request, response, next) => {
      if (!isChecked(request) || keyOf(credentials(request), keys) !== undefined) return next();
      response.set('WWW-Authenticate', 'Bearer');
      reject(response, unauthorized);
    },
  parse: () => express.json(),
  validate: (parts) => (request, response, next) => {
    if (request.method !== 'POST' || parts.isValid(parts.bodyOf(request))) next();
    else parts.reject(response, parts.invalid);
  },
  named: () => (request, response, next) => {
    if (/^\/v1\/(pets\/|store\/orders)/.test(request.path)) response.json([]);
    else next();
  },
  'slash added': () => (request, response, next) => {
    if (/^\/v1\/categories$/i.test(request.path)) response.redirect(`${request.path}/`);
    else next();
  },
} as const satisfies Readonly<Record<string, Middleware>>;
