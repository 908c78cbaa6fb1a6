// What is behind nginx: a service with Hono, which authenticates, limits and stores.
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { rateLimiter } from 'hono-rate-limiter';
import { is, settings } from './settings.mjs';

const { minute, day, keys, exhausted } = settings;
const app = new Hono();
const usedToday = new Map([[exhausted, day.limit]]);
const categories = [];
let last = 0;

const fail = (context, status, code, message, headers = {}) =>
  context.json({ code, message, status }, status, headers);

app.use(async (context, next) => {
  const [, key] = /^bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '') ?? [];
  context.set(
    'caller',
    keys.find((one) => one === key),
  );
  await next();
});

/** hono-rate-limiter writes RateLimit-*; the house copies them to the names of the specification. */
app.use(async (context, next) => {
  await next();
  const { headers } = context.res;
  const left = Number(headers.get('RateLimit-Reset'));
  if (!headers.has('RateLimit-Reset') || headers.has('X-RateLimit-Reset')) return;
  for (const one of ['Limit', 'Remaining'])
    headers.set(`X-RateLimit-${one}`, headers.get(`RateLimit-${one}`));
  headers.set('X-RateLimit-Reset', String(Math.floor(Date.now() / 1000) + left + 1));
  if (!is('draft-headers-besides'))
    for (const one of ['Limit', 'Remaining', 'Reset', 'Policy']) headers.delete(`RateLimit-${one}`);
});
app.use(
  rateLimiter({
    windowMs: minute.seconds * 1000,
    limit: (context) => {
      if (is('limiter-at-the-edge-only', 'zone-per-key-with-burst', 'zone-per-key-of-ten')) return 1000;
      return context.get('caller') === undefined ? 600 : minute.limit;
    },
    keyGenerator: (context) => context.get('caller') ?? context.req.header('x-forwarded-for') ?? '',
    standardHeaders: 'draft-6',
    handler: (context) => {
      const left = Number(context.res.headers.get('RateLimit-Reset'));
      return fail(context, 429, 'rate_limited', 'Too many requests.', {
        'Retry-After': String(Math.max(1, left)),
      });
    },
  }),
);
app.use(async (context, next) => {
  const caller = context.get('caller');
  if (caller === undefined)
    return fail(context, 401, 'unauthorized', 'The API key is missing or invalid.', {
      'WWW-Authenticate': 'Bearer',
    });
  const used = usedToday.get(caller) ?? 0;
  if (used < day.limit) {
    usedToday.set(caller, used + 1);
    return next();
  }
  const now = Date.now() / 1000;
  const midnight = (Math.floor(now / day.seconds) + 1) * day.seconds;
  return fail(context, 429, 'day_exhausted', 'The day is exhausted.', {
    'Retry-After': String(Math.ceil(midnight - now)),
    'X-RateLimit-Limit': String(day.limit),
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': String(Math.ceil(midnight)),
  });
});

const isText = (value) => typeof value === 'string';
app.get('/v1/categories', (context) => context.json(categories));
app.post('/v1/categories', checkedBody, (context) => {
  const body = context.get('body');
  last += 1;
  const one = {
    id: is('two-uncoordinated') ? last * 2 + (process.env.SOCKET === 'a.sock' ? 1 : 0) : last,
    ...body,
  };
  categories.push(one);
  return context.json(one, 201);
});

async function checkedBody(context, next) {
  const value = await context.req.json().catch(() => undefined);
  const { name, description } = value ?? {};
  if (
    Array.isArray(value) ||
    !isText(name) ||
    name === '' ||
    !(description === undefined || isText(description))
  )
    return fail(context, 400, 'invalid_body', 'The body needs a name.');
  context.set('body', description === undefined ? { name } : { name, description });
  await next();
}
const named = (context) => fail(context, 501, 'not_implemented', 'Not implemented yet.');
app.get('/v1/store/orders', named).get('/v1/pets/:petId', named);
app.notFound((context) => fail(context, 404, 'not_found', 'No such operation.'));
app.onError((error, context) => fail(context, error.status ?? 500, 'internal', error.message));

createAdaptorServer({ fetch: app.fetch }).listen(`${settings.scratch}/${process.env.SOCKET}`);
