// @ts-check
/** @import { FaultyClient, Outgoing, WrittenRequest } from '../client.ts' */
import { written } from '../core.js';

/** Without a right key a client gets 401 and nothing else, so nothing else can be judged. */
const unauthorized = /** @type {const} */ ({
  breaks: ['CLIENT-4'],
  warnings: [],
  open: {
    requirements: ['CLIENT-1', 'CLIENT-2', 'CLIENT-3'],
    because: 'without a valid credential the client gets 401',
  },
  advice: [],
});

/**
 * A client that authenticates with these headers.
 * @param {(key: string) => Readonly<Record<string, string | readonly string[]>>} headers
 * @returns {{ write: (outgoing: Outgoing) => WrittenRequest }}
 */
const sends = (headers) => ({ write: ({ method, key }) => written(method, headers(key)) });

/**
 * Clients that do not send their key as `Authorization: Bearer <API_KEY>`.
 * @type {readonly FaultyClient[]}
 */
export const credentials = [
  {
    ...unauthorized,
    id: 'key-in-the-query',
    description: 'The client sends its key as a parameter of the query.',
    seenIn: 'interfaces of map services',
    behaviour: {
      write: ({ method, key }) => ({ ...written(method, {}), path: `/categories?api_key=${key}` }),
    },
  },
  {
    ...unauthorized,
    id: 'key-in-the-query-too',
    description: 'The client authenticates as it should, and sends its key in the query, too.',
    breaks: [],
    warnings: ['CLIENT-4'],
    open: null,
    seenIn: 'generated clients for descriptions with two security schemes',
    behaviour: {
      write: ({ method, key }) => ({
        ...written(method, { Authorization: `Bearer ${key}` }),
        path: `/categories?api_key=${key}`,
      }),
    },
  },
  {
    ...unauthorized,
    id: 'key-in-a-cookie-too',
    description: 'The client authenticates as it should, and sends its key in a cookie, too.',
    breaks: [],
    warnings: ['CLIENT-4'],
    open: null,
    seenIn: 'browser applications that share a cookie jar with their interface',
    behaviour: sends((key) => ({ Authorization: `Bearer ${key}`, Cookie: `session=${key}` })),
  },
  {
    ...unauthorized,
    id: 'key-as-x-api-key',
    description: 'The client sends its key in X-API-Key.',
    seenIn: 'clients written for Amazon API Gateway',
    behaviour: sends((key) => ({ 'X-API-Key': key })),
  },
  {
    ...unauthorized,
    id: 'no-key',
    description: 'The client sends no key.',
    seenIn: 'redirect handlers and interceptors that drop Authorization',
    behaviour: sends(() => ({})),
  },
  {
    ...unauthorized,
    id: 'key-in-the-body-too',
    description: 'The client authenticates as it should, and sends its key as a field of its creations, too.',
    breaks: [],
    warnings: ['CLIENT-4'],
    open: null,
    seenIn: 'clients whose older interface took api_key as a parameter',
    behaviour: {
      write: ({ method, key }) => {
        const request = written(method, { Authorization: `Bearer ${key}` });
        return method === 'GET'
          ? request
          : { ...request, body: JSON.stringify({ name: 'rabbit', api_key: key }) };
      },
    },
  },
  {
    ...unauthorized,
    id: 'bearer-twice',
    description: 'The client sends "Bearer Bearer" and its key.',
    seenIn: 'keys stored together with their scheme',
    behaviour: sends((key) => ({ Authorization: `Bearer Bearer ${key}` })),
  },
  {
    ...unauthorized,
    id: 'key-without-scheme',
    description: 'The client sends its key as the whole value of Authorization.',
    seenIn: 'generated clients for an apiKey scheme in the Authorization header',
    behaviour: sends((key) => ({ Authorization: key })),
  },
  {
    ...unauthorized,
    id: 'key-as-token',
    description: 'The client sends its key with the scheme Token.',
    seenIn: 'clients written for Django REST framework',
    behaviour: sends((key) => ({ Authorization: `Token ${key}` })),
  },
  {
    ...unauthorized,
    id: 'key-as-basic',
    description: 'The client sends its key as the user name of HTTP Basic.',
    seenIn: 'curl -u "$KEY:"',
    behaviour: sends((key) => ({ Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` })),
  },
  {
    ...unauthorized,
    id: 'key-in-quotes',
    description: 'The client sends its key between quotation marks.',
    seenIn: 'keys read from JSON or .env files with their quotation marks',
    behaviour: sends((key) => ({ Authorization: `Bearer "${key}"` })),
  },
  {
    ...unauthorized,
    id: 'two-authorization-lines',
    description: 'The client sends two Authorization lines, both with its key.',
    seenIn: 'default headers of a session beside those of the request',
    behaviour: sends((key) => ({ Authorization: [`Bearer ${key}`, `Bearer ${key}`] })),
  },
  {
    ...unauthorized,
    id: 'retry-without-key',
    description: 'The retry of the client has no Authorization.',
    open: {
      requirements: ['CLIENT-1', 'CLIENT-2'],
      because: 'a retry without a credential gets 401, so no call gets a second 429',
    },
    seenIn: 'retries that build the request anew, below the layer that authenticates',
    behaviour: {
      write: ({ method, key, attempt }) =>
        written(method, attempt === 0 ? { Authorization: `Bearer ${key}` } : {}),
    },
  },
];
