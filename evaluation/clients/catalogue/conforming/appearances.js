// @ts-check
/** @import { ConformingClient } from '../client.ts' */
import { gzipSync } from 'node:zlib';
import { secondsOrDate, written } from '../core.js';

/** What every client of this file has in common. */
const conforming = /** @type {const} */ ({ warnings: [], open: null, advice: [] });

/**
 * Writes creations with further headers, and with another body where one is given.
 * @param {Record<string, string>} headers
 * @param {Buffer} [body]
 * @returns {NonNullable<ConformingClient['behaviour']['write']>}
 */
function creatingWith(headers, body) {
  return ({ method, key }) => {
    const request = written(method, { Authorization: `Bearer ${key}` });
    if (method === 'GET') return request;
    const changed = { ...request, headers: { ...request.headers, ...headers } };
    return body === undefined ? changed : { ...changed, body };
  };
}

/**
 * Clients whose requests look unusual, or that read other headers.
 * @type {readonly ConformingClient[]}
 */
export const appearances = [
  {
    ...conforming,
    id: 'bearer-in-lower-case',
    description: 'The client writes the scheme as "bearer" (RFC 9110 §11.1 compares it without case).',
    behaviour: { write: ({ method, key }) => written(method, { authorization: `bearer ${key}` }) },
  },
  {
    ...conforming,
    id: 'charset-in-the-type',
    description: 'The client sends its creations as "application/json; charset=UTF-8".',
    behaviour: { write: creatingWith({ 'Content-Type': 'application/json; charset=UTF-8' }) },
  },
  {
    ...conforming,
    id: 'creation-compressed',
    description: 'The client compresses its creations (Content-Encoding: gzip).',
    warnings: ['CLIENT-4'],
    behaviour: {
      write: creatingWith({ 'Content-Encoding': 'gzip' }, gzipSync(JSON.stringify({ name: 'rabbit' }))),
    },
  },
  {
    ...conforming,
    id: 'type-on-lists',
    description: 'The client sends a Content-Type with its lists, which have no body.',
    behaviour: {
      write: ({ method, key }) =>
        written(method, { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }),
    },
  },
  {
    ...conforming,
    id: 'offers-http2',
    description: 'The client offers an upgrade to HTTP/2 in each request, which the service ignores.',
    behaviour: {
      write: ({ method, key }) =>
        written(method, {
          Authorization: `Bearer ${key}`,
          Connection: 'Upgrade, HTTP2-Settings',
          Upgrade: 'h2c',
          'HTTP2-Settings': 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
        }),
    },
  },
  {
    ...conforming,
    id: 'further-headers',
    description:
      'The client sends headers of its own beside Authorization, a number for each request among them.',
    behaviour: {
      write: ({ method, key, attempt }) =>
        written(method, {
          Authorization: `Bearer ${key}`,
          Accept: 'application/json',
          'User-Agent': 'pets/1.0',
          'X-Retry-Count': String(attempt),
        }),
    },
  },
  {
    ...conforming,
    id: 'connection-for-each-request',
    description: 'The client opens a new connection for each request.',
    behaviour: { keepAlive: false },
  },
  {
    ...conforming,
    id: 'waits-for-the-reset',
    description: 'The client waits until X-RateLimit-Reset, or for Retry-After where that is later.',
    behaviour: {
      readRetryAfter: (headers) =>
        Math.max(
          secondsOrDate(headers['retry-after']),
          Number(headers['x-ratelimit-reset'] ?? 0) * 1000 - Date.now(),
        ),
    },
  },
  {
    ...conforming,
    id: 'target-with-host',
    description: 'The client writes the whole address into each request line (RFC 9112 §3.2.2).',
    behaviour: { absoluteForm: true },
  },
  {
    ...conforming,
    id: 'host-of-the-address-alone',
    description: 'The client takes the host of its base address, and adds /v1 itself.',
    behaviour: { base: (target) => `${new URL(target).origin}/v1` },
  },
];
