// The Pet Store Service with Fastify: Ajv checks bodies, fast-json-stringify writes them, @fastify/rate-limit counts.
import rateLimit from '@fastify/rate-limit';
import fastify from 'fastify';
import { broken, env } from './switch.mjs';
import { cleaned } from './texts.mjs';

const [perMinute, minute, perDay, day] = ['PER_MINUTE', 'MINUTE_SECONDS', 'PER_DAY', 'DAY_SECONDS'].map(
  (one) => Number(env(one)),
);
const exhausted = env('EXHAUSTED_KEY');
const keys = Object.fromEntries([...env('KEYS').split(','), exhausted].map((key) => [key, key]));

const app = fastify({
  bodyLimit: broken('body-limit-of-16-kib') ? 16_384 : 1_048_576,
  trustProxy: broken('trust-proxy'),
  routerOptions: {
    ignoreTrailingSlash: broken('guard-by-url', 'trailing-slash-ignored'),
    caseSensitive: !broken('guard-by-url'),
    ignoreDuplicateSlashes: broken('guard-by-url'),
  },
  keepAliveTimeout: 2000,
  genReqId: () => String(Math.random()),
  ajv: {
    customOptions: {
      coerceTypes: broken('coerced-with-arrays') ? 'array' : broken('coerced-as-shipped'),
      removeAdditional: !broken('additional-rejected'),
    },
  },
});

const sessions = new Map();

function token(request) {
  const given = request.headers.authorization ?? '';
  if (broken('query-token') && request.query?.token) return request.query.token;
  if (broken('websocket-protocol-token'))
    return (request.headers['sec-websocket-protocol'] ?? given).split(' ').at(-1);
  if (broken('cookie-set-and-accepted')) {
    const found = /sid=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
    if (found !== undefined) return sessions.get(found);
  }
  if (broken('base64-key') && !given.includes('_'))
    return Buffer.from(given.split(' ')[1] ?? '', 'base64').toString();
  return /^bearer +(\S+)$/i.exec(given)?.[1];
}

function callerOf(request) {
  const given = token(request);
  if (given === undefined) return undefined;
  if (broken('keys-of-prototype')) return keys[given];
  if (broken('key-includes')) return Object.keys(keys).find((key) => given !== '' && key.includes(given));
  if (broken('key-in-lower-case'))
    return Object.hasOwn(keys, given.toLowerCase()) ? given.toLowerCase() : undefined;
  if (broken('key-decoded'))
    return Object.hasOwn(keys, decodeURIComponent(given)) ? decodeURIComponent(given) : undefined;
  return Object.hasOwn(keys, given) ? given : undefined;
}

const usedToday = new Map([[exhausted, perDay]]);

app.addHook('onRequest', async (request) => {
  request.caller = callerOf(request);
});

await app.register(rateLimit, {
  global: true,
  hook: broken('limited-after-validation') ? 'preHandler' : 'onRequest',
  max: broken('max-by-method') ? (request) => (request.method === 'POST' ? 20 : perMinute) : perMinute,
  timeWindow: minute * 1000,
  continueExceeding: broken('continue-exceeding'),
  allowList: (request) =>
    (broken('local-addresses-allowed') &&
      ['127.0.0.1', '::1'].includes(request.headers['x-forwarded-for'])) ||
    (broken('options-allowed') && request.method === 'OPTIONS'),
  keyGenerator: (request) => {
    if (broken('key-of-address', 'trust-proxy')) return request.ip;
    if (broken('key-of-header')) return request.headers.authorization ?? request.ip;
    if (broken('key-of-url')) return `${request.caller ?? request.ip} ${request.url}`;
    if (broken('key-of-route')) return `${request.caller ?? request.ip} ${request.routeOptions.url}`;
    return request.caller ?? request.ip;
  },
  errorResponseBuilder: (_request, context) =>
    broken('limited-as-shipped')
      ? {
          statusCode: 429,
          error: 'Too Many Requests',
          message: `Rate limit exceeded, retry in ${context.after}`,
        }
      : Object.assign(new Error('Too many requests.'), { statusCode: 429, code: 'RATE_LIMITED' }),
  addHeaders: {
    'retry-after': !broken('retry-after-off'),
    'x-ratelimit-limit': true,
    'x-ratelimit-remaining': true,
    'x-ratelimit-reset': true,
  },
});

const failure = (status, code, message) => {
  const error = { message, status, code };
  if (broken('status-in-status-code')) return { message, statusCode: status, code };
  if (broken('code-nested-by-field') && status === 400) return { ...error, code: { name: code } };
  if (broken('message-empty-object')) return { ...error, message: {} };
  if (broken('error-as-list') && status === 400) return [error];
  return error;
};

app.setErrorHandler((error, _request, reply) => {
  if (broken('errors-as-shipped')) return reply.send(error);
  const status = error.statusCode ?? 500;
  const shown = broken('validation-is-422') && error.validation !== undefined ? 422 : status;
  if (broken('stack-as-html') && error.validation === undefined && status === 400)
    return reply.code(400).type('text/html').send(`<pre>${error.stack}</pre>`);
  return reply.code(shown).send(failure(shown, error.code ?? 'internal', error.message));
});
app.setNotFoundHandler(
  broken('not-found-without-hooks') ? {} : { preHandler: app.rateLimit() },
  (request, reply) => {
    if (request.caller === undefined) return unauthorized(reply);
    return reply.code(404).send(failure(404, 'NOT_FOUND', 'No such operation.'));
  },
);

const unauthorized = (reply) => {
  if (!broken('challenge-left-out'))
    reply.header('www-authenticate', 'Bearer realm="petstore", charset="UTF-8"');
  if (broken('hijacked-401')) {
    reply.hijack();
    return reply.raw.writeHead(401, { 'content-type': 'application/json' }).end('{"message":"Unauthorized"}');
  }
  if (broken('unauthorized-empty')) return reply.code(401).send();
  return reply.code(401).send(failure(401, 'UNAUTHORIZED', 'The API key is missing or invalid.'));
};

// The limiter of a route runs after the hooks of the whole app: authentication has to wait for it.
const authenticatedIn = broken('authenticated-after-validation') ? 'preHandler' : 'preParsing';
app.addHook(
  broken('authenticated-before-limiter') ? 'onRequest' : authenticatedIn,
  async (request, reply) => {
    if (broken('guard-by-url') && request.url.split('?')[0] !== '/v1/categories') return;
    if (broken('guard-by-method') && !['GET', 'POST'].includes(request.method)) return;
    if (broken('guard-in-routes-of-categories') && !request.url.startsWith('/v1/categories')) return;
    if (request.is404 || request.caller !== undefined) return;
    return unauthorized(reply);
  },
);

app.addHook('preParsing', async (request, reply) => {
  const who = request.caller;
  if (who === undefined || broken('day-forgotten')) return;
  const used = usedToday.get(who) ?? 0;
  if (used < perDay) return void usedToday.set(who, used + 1);
  const now = Date.now() / 1000;
  const midnight = (Math.floor(now / day) + 1) * day;
  request.today = {
    'x-ratelimit-limit': perDay,
    'x-ratelimit-remaining': 0,
    'x-ratelimit-reset': Math.ceil(midnight),
  };
  reply.header('retry-after', Math.ceil(midnight - now));
  return reply.code(429).send(failure(429, 'DAY_EXHAUSTED', 'The day is exhausted.'));
});

app.addHook('onSend', async (request, reply, payload) => {
  const left = reply.getHeader('x-ratelimit-reset');
  const now = Math.floor(Date.now() / 1000);
  if (left !== undefined && !broken('reset-as-shipped')) {
    const reset = broken('reset-from-milliseconds') ? Date.now() + left * 1000 : now + left + 1;
    reply.header('x-ratelimit-reset', broken('reset-as-json-date') ? new Date(reset * 1000).toJSON() : reset);
  }
  if (request.today !== undefined) reply.headers(request.today);
  if (reply.statusCode === 429 && broken('retry-after-in-ms')) reply.header('retry-after', minute * 1000);
  if (reply.statusCode === 429 && broken('retry-after-nan')) reply.header('retry-after', 'NaN');
  if (reply.statusCode === 429 && broken('retry-after-zero')) reply.header('retry-after', 0);
  if (reply.statusCode === 429 && broken('limited-is-403')) reply.code(403);
  if (broken('remaining-undefined-on-limit') && reply.statusCode === 429)
    reply.header('x-ratelimit-remaining', 'undefined');
  if (broken('headers-removed-by-proxy') && reply.statusCode === 201) reply.removeHeader('x-ratelimit-reset');
  if (broken('headers-in-list-form'))
    reply.header('x-ratelimit-remaining', `${reply.getHeader('x-ratelimit-remaining')}, 59`);
  if (broken('cookie-set-and-accepted') && request.caller !== undefined) {
    const session = crypto.randomUUID();
    sessions.set(session, request.caller);
    reply.header('set-cookie', `sid=${session}; Path=/; HttpOnly`);
  } else reply.header('set-cookie', 'lb=node-1; Path=/');
  if (broken('type-without-json') && reply.statusCode === 200) reply.header('content-type', 'text/plain');
  return payload;
});

const categories = [];
let snapshot;
const firstId = broken('ids-of-snowflakes', 'ids-of-snowflakes-as-text', 'ids-of-snowflakes-rounded')
  ? 1_790_000_000_000_000_001n
  : 1n;
const textType = { type: 'string' };
const maximum = broken('names-up-to-twenty') ? { maxLength: 20 } : {};
const body = {
  type: 'object',
  required: ['name'],
  properties: {
    name: broken('name-untyped') ? {} : { ...textType, ...maximum },
    description: {
      ...(broken('description-untyped') ? {} : textType),
      ...(broken('description-defaulted') ? { default: '' } : {}),
    },
    ...(broken('id-allowed') ? { id: { type: 'integer' } } : {}),
  },
  additionalProperties: false,
};
const category = {
  type: 'object',
  required: broken('description-required-by-serializer') ? ['id', 'name', 'description'] : ['id', 'name'],
  properties: {
    id: broken('ids-as-number-type') ? { type: 'string' } : { type: 'integer' },
    name: textType,
    ...(broken('description-not-serialized')
      ? {}
      : { description: broken('description-nullable') ? { type: ['string', 'null'] } : textType }),
  },
};
const schemas = broken('serializer-left-out', 'ids-of-snowflakes-as-text')
  ? [{}, {}]
  : [{ 200: { type: 'array', items: category } }, { 201: category }];
BigInt.prototype.toJSON = function () {
  return this.toString();
};

const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

app.get('/v1/categories', { schema: { response: schemas[0] } }, async (_request, reply) => {
  let list = categories;
  if (broken('list-for-three-seconds')) {
    if (snapshot === undefined || Date.now() - snapshot.at > 3000)
      snapshot = { at: Date.now(), list: [...categories] };
    list = snapshot.list;
  }
  if (broken('list-of-thirty')) list = list.slice(0, 30);
  if (broken('list-of-fifteen-newest')) list = list.slice(-15);
  if (broken('list-later')) list = list.filter(({ at }) => Date.now() - at > 1500);
  if (broken('list-as-string'))
    return reply
      .type('application/json')
      .send(JSON.stringify(JSON.stringify(list.map(({ id, name }) => ({ id: Number(id), name })))));
  if (broken('list-of-promises')) return reply.serializer(JSON.stringify).send(list.map(async (one) => one));
  if (broken('list-sorted-in-place')) categories.sort((a, b) => a.name.localeCompare(b.name));
  return list;
});

app.post('/v1/categories', { schema: { body, response: schemas[1] } }, async (request, reply) => {
  const { name, description } = request.body;
  if (broken('truthy-name') && !name) return reply.code(400).send(failure(400, 'NAME', 'name is required.'));
  if (broken('name-regex') && !/^[\w -]+$/.test(name))
    return reply.code(400).send(failure(400, 'NAME', 'name has invalid characters.'));
  const number = BigInt(categories.length);
  if (broken('id-after-await')) await later(15);
  const made = { name: cleaned(name), at: Date.now(), agent: request.headers['user-agent'] };
  if (description !== undefined)
    made.description = typeof description === 'string' ? cleaned(description) : description;
  if (broken('description-or-undefined') && !made.description) delete made.description;
  if (broken('description-falls-back-to-name')) made.description ??= made.name;
  const id = firstId + (broken('id-after-await') ? number : BigInt(categories.length));
  made.id = broken('ids-of-snowflakes-rounded') ? Number(id) : id;
  if (broken('id-allowed') && request.body.id !== undefined) made.id = request.body.id;
  if (broken('ids-as-uuid')) made.id = crypto.randomUUID();
  if (broken('ids-from-time')) made.id = Date.now();
  const existing = categories.find((one) => one.name.toLowerCase() === made.name.toLowerCase());
  if (broken('conflict-in-any-case') && existing)
    return reply.code(409).send(failure(409, 'CONFLICT', 'The name exists.'));
  if (broken('merged-in-any-case') && existing) Object.assign(existing, made, { id: existing.id });
  else if (broken('spread-replaces-list')) categories.splice(0, Math.max(0, categories.length - 12), made);
  else categories.push(made);
  if (broken('written-behind') && categories.length % 6 === 0) categories.pop();
  const status = broken('created-as-200') ? 200 : 201;
  return reply
    .code(status)
    .header('location', `/v1/categories/${made.id}`)
    .send(broken('created-without-name') ? { id: made.id } : made);
});

app.get('/v1/store/orders', async (_request, reply) => {
  return reply.code(501).send(failure(501, 'NOT_IMPLEMENTED', 'Not implemented yet.'));
});
app.get('/v1/pets/:id', async (request, reply) => {
  reply.header('deprecation', '@1735689600').header('x-stability', 'beta');
  if (broken('pet-as-text')) return reply.type('text/plain').send('rex');
  return { id: Number(request.params.id), name: 'Rex' };
});

await app.listen({ host: '127.0.0.1', port: Number(env('PORT')) });
