import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { BurstyRateLimiter, RateLimiterMemory } from 'rate-limiter-flexible';
import { Failure } from './errors.mjs';
import { is, settings, sleep } from './settings.mjs';
import { ClockStore, GcraStore, LogStore } from './stores.mjs';

const { minute, day } = settings;
const tooMany = () => new Failure(429, 'rate_limited', 'The rate limit is exceeded.');

function whoCounts(request) {
  const address = ipKeyGenerator(request.ip);
  if (is('key-of-address', 'trust-proxy')) return address;
  if (is('key-of-header')) return request.get('authorization') ?? address;
  if (is('key-of-agent')) return `${request.caller ?? address} ${request.get('user-agent')}`;
  if (is('key-of-url')) return `${request.caller ?? address} ${request.originalUrl}`;
  if (is('key-of-method')) return `${request.caller ?? address} ${request.method}`;
  return request.caller ?? address;
}

/** Retry-After and Reset in the forms that services choose. */
function dressed(response) {
  const reset = response.getHeader('X-RateLimit-Reset');
  const seconds = Number(response.getHeader('Retry-After'));
  const limited = response.statusCode === 429;
  const date = (ms) => new Date(ms).toUTCString();
  if (limited && is('retry-after-date')) response.set('Retry-After', date(Date.now() + seconds * 1000 + 999));
  if (limited && is('retry-after-jittered'))
    response.set('Retry-After', String(seconds + Math.floor(Math.random() * 3)));
  if (limited && is('retry-after-one-window')) response.set('Retry-After', String(minute.ms / 1000));
  if (limited && is('retry-after-in-ms')) response.set('Retry-After', String(seconds * 1000));
  if (limited && is('retry-after-minus-one')) response.set('Retry-After', String(Math.max(0, seconds - 2)));
  if (limited && is('retry-after-local-date'))
    response.set('Retry-After', new Date(Date.now() + seconds * 1000 + 999).toString());
  if (limited && is('retry-after-left-out')) response.removeHeader('Retry-After');
  if (!limited && is('retry-after-always')) response.set('Retry-After', String(minute.ms / 1000));
  if (reset === undefined) return;
  if (is('reset-delta'))
    response.set('X-RateLimit-Reset', String(Number(reset) - Math.floor(Date.now() / 1000)));
  if (is('reset-ms')) response.set('X-RateLimit-Reset', String(Number(reset) * 1000));
  if (is('reset-rounded-down')) response.set('X-RateLimit-Reset', String(Number(reset) - 1));
  if (is('reset-with-decimals')) response.set('X-RateLimit-Reset', (Number(reset) - 0.25).toFixed(3));
  if (is('reset-as-date')) response.set('X-RateLimit-Reset', date(Number(reset) * 1000));
  if (limited && is('headers-not-on-429'))
    for (const one of ['Limit', 'Remaining', 'Reset']) response.removeHeader(`X-RateLimit-${one}`);
}

const storeOf = () => {
  if (is('limiter-clock')) return { store: new ClockStore() };
  if (is('limiter-log')) return { store: new LogStore() };
  if (is('limiter-gcra')) return { store: new GcraStore() };
  return {};
};

const byLibrary = (extra = {}) =>
  rateLimit({
    windowMs: is('window-of-half') ? minute.ms / 2 : minute.ms,
    limit: (request) => limitOf(request),
    legacyHeaders: !is('draft-headers-only'),
    standardHeaders: is('draft-headers-only', 'draft-headers-besides')
      ? 'draft-8'
      : is('draft-6-besides') && 'draft-6',
    identifier: 'minute',
    keyGenerator: whoCounts,
    skipFailedRequests: is('failed-not-counted'),
    skipSuccessfulRequests: is('successful-not-counted'),
    skip: (request) =>
      (is('heads-not-counted') && request.method === 'HEAD') ||
      (is('creations-not-counted') && request.method === 'POST') ||
      (is('internal-header-skips') && request.get('x-forwarded-for') === '127.0.0.1'),
    handler: (_request, response, next, { message }) => {
      response.status(429);
      dressed(response);
      if (is('limited-as-shipped')) return response.send(message);
      if (is('limited-with-503')) response.status(503);
      next(Object.assign(tooMany(), { status: response.statusCode }));
    },
    validate: false,
    ...storeOf(),
    ...extra,
  });

function limitOf(request) {
  if (request.caller === undefined && !is('anonymous-as-callers')) return is('anonymous-five') ? 5 : 600;
  if (is('limit-one-more')) return minute.limit + 1;
  if (is('limit-one-less')) return minute.limit - 1;
  if (is('limit-of-creations') && request.method === 'POST') return 30;
  return minute.limit;
}

/** express-rate-limit, and what its headers look like. */
function libraryLimiter() {
  const one = byLibrary();
  const second = byLibrary();
  return (request, response, next) => {
    const chosen = is('limiter-of-each-route') && request.method === 'POST' ? second : one;
    chosen(request, response, (error) => {
      if (error === undefined) dressed(response);
      next(error);
    });
  };
}

const points = { points: minute.limit, duration: minute.ms / 1000 };

/** rate-limiter-flexible, as its documentation puts it into a middleware. */
function flexibleLimiter() {
  const plain = new RateLimiterMemory({
    ...points,
    ...(is('flexible-blocks') ? { blockDuration: (2 * minute.ms) / 1000 } : {}),
    ...(is('flexible-evenly') ? { execEvenly: true, execEvenlyMinDelayMs: 20 } : {}),
  });
  const burst = new RateLimiterMemory({ keyPrefix: 'burst', points: 10, duration: minute.ms / 2000 });
  const limiter = is('flexible-bursty') ? new BurstyRateLimiter(plain, burst) : plain;
  const anonymous = new RateLimiterMemory({ points: 600, duration: points.duration });
  return async (request, response, next) => {
    const known = request.caller !== undefined;
    const limit = known ? minute.limit : 600;
    const cost = is('flexible-creations-cost-two') && request.method === 'POST' ? 2 : 1;
    const headers = ({ msBeforeNext, remainingPoints }) => {
      response.set('X-RateLimit-Limit', String(limit));
      response.set('X-RateLimit-Remaining', String(remainingPoints));
      const reset = Date.now() + msBeforeNext;
      response.set(
        'X-RateLimit-Reset',
        is('flexible-as-documented') ? String(new Date(reset)) : String(Math.ceil(reset / 1000)),
      );
      return msBeforeNext;
    };
    try {
      headers(await (known ? limiter : anonymous).consume(whoCounts(request), cost));
      next();
    } catch (rejected) {
      const ms = headers(rejected);
      response.set(
        'Retry-After',
        is('flexible-as-documented') ? String(ms / 1000) : String(Math.ceil(ms / 1000)),
      );
      response.status(429);
      dressed(response);
      next(tooMany());
    }
  };
}

/** The limit of the minute. */
export const minuteLimiter = () => {
  const flexible = is(
    'flexible-alone',
    'flexible-as-documented',
    'flexible-blocks',
    'flexible-bursty',
    'flexible-creations-cost-two',
    'flexible-evenly',
  );
  return flexible ? flexibleLimiter() : libraryLimiter();
};

/** The limit of the day, with rate-limiter-flexible. */
export function dayLimiter() {
  const limiter = new RateLimiterMemory({ points: day.limit, duration: day.ms / 1000 });
  const ready = limiter.penalty(settings.exhausted, day.limit);
  return async (request, response, next) => {
    await ready;
    if (request.caller === undefined || is('day-left-out')) return next();
    try {
      await limiter.consume(request.caller);
      next();
    } catch ({ msBeforeNext }) {
      response.set('Retry-After', String(Math.ceil(msBeforeNext / 1000)));
      if (!is('day-under-headers-of-the-minute'))
        response.set({
          'X-RateLimit-Limit': String(day.limit),
          'X-RateLimit-Remaining': '0',
          'X-RateLimit-Reset': String(Math.ceil((Date.now() + msBeforeNext) / 1000)),
        });
      next(new Failure(429, 'day_exhausted', 'The quota of the day is exhausted.'));
    }
  };
}

/** A limiter that counts late: the count is read, and written a moment later. */
export function hesitant(limiter) {
  return async (request, response, next) => {
    if (is('slow-before-limit')) await sleep(5 + Math.random() * 30);
    limiter(request, response, next);
  };
}
