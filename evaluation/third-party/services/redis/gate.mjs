import { counted } from './counting.mjs';
import { fail, is, now, settings } from './settings.mjs';

function describe(response, { limit, remaining, reset }) {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', Math.ceil(reset / 1000));
  if (is('clock-minutes-behind')) response.setHeader('Date', new Date(now()).toUTCString());
}

function refuse(response, { retry }) {
  const seconds = Math.max(0, Math.ceil((retry - now()) / 1000));
  response.setHeader('Retry-After', is('ttl-of-a-key-that-is-gone') ? -2 : seconds);
  fail(response, 429, 'rate_limited', 'Too many requests.');
}

/** Counts a request of a key for its minute and its day. Resolves to the key, or undefined once the response is sent. */
export async function limited(redis, request, response) {
  const key = settings.callerOf(request);
  const spent = key === settings.exhausted;
  const minute = await counted(redis, settings.minute, key, request);
  const day =
    minute.accepted && !spent ? await counted(redis, settings.day, key, request) : { accepted: !spent };
  const end = (Math.floor(now() / settings.day.ms) + 1) * settings.day.ms;
  const today = spent ? { limit: settings.day.limit, remaining: 0, reset: end, retry: end } : day;
  const decisive = minute.accepted && !day.accepted ? today : minute;
  describe(response, decisive);
  if (minute.accepted && day.accepted) return key;
  refuse(response, decisive);
}

/** Counts a request without a valid key for its address, and answers it. */
export async function anonymous(redis, request, response) {
  const share = is('anonymous-share-of-thirty') ? 30 : settings.minute.limit;
  const plan = { ...settings.minute, limit: share };
  const one = await counted(redis, plan, `address ${request.socket.remoteAddress}`, request);
  describe(response, one);
  if (!one.accepted) return refuse(response, one);
  fail(response, 401, 'unauthorized', 'The API key is missing or invalid.');
}
