// The Pet Store Service with Express: zod checks bodies, NeDB keeps categories, express-rate-limit counts minutes
// and rate-limiter-flexible days.
import express from 'express';
import { create, list, shown } from './categories.mjs';
import { Failure, onError } from './errors.mjs';
import { dayLimiter, hesitant, minuteLimiter } from './limits.mjs';
import { is, settings } from './settings.mjs';
import { sendJson, wireInto } from './wire.mjs';

const app = express();
if (is('trust-proxy')) app.set('trust proxy', true);
if (is('case-sensitive')) app.enable('case sensitive routing');
if (is('strict-routing')) app.enable('strict routing');
app.response.json = function (value) {
  return sendJson(this, value);
};

const all = [...settings.keys, settings.exhausted];
const byKey = Object.fromEntries(all.map((key) => [key, key]));

function tokenOf(request) {
  const given = request.get('authorization') ?? '';
  if (is('query-key') && request.query.api_key) return request.query.api_key;
  if (is('header-key') && request.get('x-api-key')) return request.get('x-api-key');
  if (is('any-scheme')) return given.split(' ').at(-1);
  if (is('scheme-left-out')) return given.replace(/^bearer /i, '');
  return /^bearer +(\S+)$/i.exec(given)?.[1];
}

function callerOf(request) {
  const token = tokenOf(request);
  if (token === undefined) return undefined;
  if (is('keys-of-an-object')) return byKey[token];
  if (is('key-starts-with')) return all.find((key) => token !== '' && key.startsWith(token));
  if (is('key-in-any-case')) return all.find((key) => key.toLowerCase() === token.toLowerCase());
  if (is('key-trimmed-of-signs')) return all.find((key) => key === token.replace(/\W/g, ''));
  return all.find((key) => key === token);
}

const authenticate = (request, response, next) => {
  if (request.caller !== undefined) return next();
  if (is('guard-of-exact-path') && request.path !== '/v1/categories') return next();
  if (is('guard-of-gets-only') && request.method !== 'GET') return next();
  if (is('heads-unguarded') && request.method === 'HEAD') return next();
  if (is('named-unguarded') && !request.path.startsWith('/v1/categories')) return next();
  if (!is('challenge-left-out')) response.set('WWW-Authenticate', 'Bearer realm="petstore"');
  if (is('unauthorized-in-text')) return response.sendStatus(401);
  if (is('unauthorized-is-403'))
    return next(new Failure(403, 'forbidden', 'The API key is missing or invalid.'));
  if (is('unauthorized-redirects')) return response.redirect('/login');
  next(new Failure(401, 'unauthorized', 'The API key is missing or invalid.'));
};
const type = is('any-type-parsed') ? '*/*' : ['application/json', 'application/*+json'];
const parser = [
  (request, _response, next) => {
    const typed = request.is(['json', '+json']);
    if (is('types-415') && request.method === 'POST' && typed === false)
      return next(new Failure(415, 'unsupported_media_type', 'Send application/json.'));
    next();
  },
  express.json({ type, strict: !is('json-not-strict'), limit: is('bodies-of-two-kib') ? 2048 : '100kb' }),
  ...(is('forms-accepted') ? [express.urlencoded({ extended: true })] : []),
];

wireInto(app);
app.use((request, _response, next) => {
  request.caller = callerOf(request);
  if (is('method-override') && request.get('x-http-method-override'))
    request.method = request.get('x-http-method-override').toUpperCase();
  next();
});
const limiters = [hesitant(minuteLimiter()), dayLimiter()];
const guard = is('guard-before-limits') ? [authenticate, ...limiters] : [...limiters, authenticate];
if (is('parsed-before-limits')) app.use(parser, guard);
else if (is('parsed-before-guard')) app.use(...limiters, parser, authenticate);
else app.use(guard, parser);

const categories = express.Router();
categories
  .route('/categories')
  .get(async (request, response) => {
    const { rows, next } = await list(request);
    if (next !== undefined) response.links({ next: `/v1/categories?page=${next}` });
    if (is('list-in-envelope')) return response.json({ data: rows, total: rows.length });
    if (is('empty-list-is-204') && rows.length === 0) return response.sendStatus(204);
    response.json(rows);
  })
  .post(async (request, response) => {
    const body = request.body ?? (is('absent-body-crashes') ? request.body : {});
    const one = shown(await create(body, request.caller));
    if (is('with-location')) response.location(`/v1/categories/${one.id}`);
    if (is('created-empty')) return response.status(201).end();
    response.status(is('created-as-200') ? 200 : 201).json(one);
  });
if (is('methods-405'))
  categories.all('/categories', (_request, response, next) => {
    response.set('Allow', 'GET, HEAD, POST');
    next(new Failure(405, 'method_not_allowed', 'No such method.'));
  });
const named = (request, response, next) => {
  if (is('named-as-page')) return response.type('html').send('<p>Rex</p>');
  if (is('named-answered'))
    return response.json(request.path.includes('orders') ? [] : { id: 1, name: 'Rex' });
  next(new Failure(501, 'not_implemented', 'Not implemented yet.'));
};
if (!is('named-unknown')) categories.get(['/store/orders', '/pets/:petId'], named);
app.use('/v1', categories);
app.use((_request, _response, next) => next(new Failure(404, 'not_found', 'No such operation.')));
app.use(onError);

const server = app.listen(settings.port, '127.0.0.1');
if (is('keep-alive-one-second')) server.keepAliveTimeout = 1000;
if (is('seven-for-each-connection')) server.maxRequestsPerSocket = 7;
if (is('no-keep-alive')) server.keepAliveTimeout = 1;
