import { createServer } from 'node:http';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import express from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { CategoryStore, errorBody } from './category-store.ts';
import type { AppSettings, RunningApp } from './third-party.ts';
import { ANONYMOUS_LIMIT, listenOnLoopback, validKey } from './third-party.ts';

/** The Pet Store Service on Express 5, with any middleware as its limiter. */
export function startExpressApp({ keys }: AppSettings, limiter: RequestHandler): Promise<RunningApp> {
  const categories = new CategoryStore();
  const notImplemented: RequestHandler = (_request, response) => {
    response.status(501).json(errorBody(501, 'not_implemented', 'Not implemented yet.'));
  };
  const authenticate: RequestHandler = (request, response, next) => {
    if (validKey(request.get('Authorization'), keys) !== undefined) return next();
    response.set('WWW-Authenticate', 'Bearer').status(401);
    response.json(errorBody(401, 'unauthorized', 'The API key is missing or invalid.'));
  };
  const onError: ErrorRequestHandler = (
    error: { status?: number; message?: string },
    _request,
    response,
    _next,
  ) => {
    const status = error.status ?? 500;
    response.status(status).json(errorBody(status, 'bad_request', error.message ?? 'The request failed.'));
  };

  const app = express();
  app.disable('x-powered-by');
  app.use(limiter, authenticate, express.json());
  app.get('/v1/categories', (_request, response) => void response.json(categories.list()));
  app.post('/v1/categories', (request, response) => {
    const created = categories.create(request.body);
    if (typeof created === 'string') response.status(400).json(errorBody(400, 'invalid_category', created));
    else response.status(201).json(created);
  });
  app.get('/v1/pets/:id', notImplemented);
  app.get('/v1/store/orders', notImplemented);
  app.use(
    (_request, response) => void response.status(404).json(errorBody(404, 'not_found', 'No such resource.')),
  );
  app.use(onError);
  return listenOnLoopback(createServer(app));
}

type HeaderStyle = 'legacy' | 'draft-8';

const startLimited =
  (style: HeaderStyle, more: { readonly message?: object } = {}) =>
  (settings: AppSettings): Promise<RunningApp> => {
    const { keys, perMinute, windowSeconds } = settings;
    const callerOf = (request: Request) => validKey(request.get('Authorization'), keys);
    const limiter = rateLimit({
      windowMs: windowSeconds * 1000,
      limit: (request) => (callerOf(request) === undefined ? ANONYMOUS_LIMIT : perMinute),
      keyGenerator: (request) => callerOf(request) ?? ipKeyGenerator(request.ip ?? ''),
      legacyHeaders: style === 'legacy',
      standardHeaders: style === 'legacy' ? false : style,
      ...more,
    });
    return startExpressApp(settings, limiter);
  };

/** With express-rate-limit and the headers that the specification requires. */
export const startExpressRateLimit = startLimited('legacy');

/** The same with an Error as the body of a 429. */
export const startExpressRateLimitConfigured = startLimited('legacy', {
  message: errorBody(429, 'too_many_requests', 'Too many requests.'),
});

/** With express-rate-limit and only the headers of the newest Internet-Draft. */
export const startExpressDraft8 = startLimited('draft-8');
