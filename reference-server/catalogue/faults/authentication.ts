import { parseNewCategory } from '../../service/categories.ts';
import type { Request } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';
import { acceptingLike, authenticating, hasBearer, isBare } from '../wrappers/authenticating.ts';
import type { SentResponse } from '../wrappers/responses.ts';
import {
  always,
  asError,
  editing,
  failing,
  hasStatus,
  isCreation,
  isList,
  isOrders,
  isPet,
  isRequestFor,
  onResponse,
  RATE_LIMIT,
  remembering,
  unauthorized,
  withLines,
} from '../wrappers/responses.ts';
import type { StatedFault, StatedFaults } from './fault.ts';

const PAGE = { type: 'text/html', text: '<!doctype html><title>Log in</title>' } as const;

const endsOf = (key: string): string => `${key.slice(0, 8)}…${key.slice(-8)}`;

/** Faults of the chapter "Authentication". */
export const authentication: StatedFaults = {
  'missing-key-403': {
    description: 'A request without Authorization gets 403.',
    breaks: ['AUTH-1', 'AUTH-4', 'AUTH-5'],
    warnings: ['AUTH-6'],
    seenIn: 'the defaults of Spring Security and FastAPI’s HTTPBearer',
    ...failing(unauthorized(isBare), 403),
  },
  'missing-key-500': {
    description: 'A request without Authorization gets 500.',
    breaks: ['AUTH-1', 'AUTH-4', 'AUTH-5'],
    warnings: ['AUTH-6', 'HTTP-4'],
    seenIn: 'headers.authorization.split(" ") on undefined',
    ...failing(unauthorized(isBare), 500),
  },
  'unauthorized-200': {
    description: 'A request without a valid key gets 200 with an Error.',
    breaks: ['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4', 'AUTH-5'],
    warnings: ['AUTH-6'],
    seenIn: 'RPC-style services that put every error into the body',
    ...failing(hasStatus(401), 200),
  },
  'unknown-key-429': {
    description: 'A request with an unknown key gets 429.',
    violates: 'AUTH-2',
    undecidable:
      'Unauthenticated clients may have a small limit of their own, and the specification does not say which of the two statuses comes first: a conforming service whose limit for unauthenticated clients is exhausted sends the same response.',
    seenIn: 'limiters with a limit of 0 for unknown keys',
    ...onResponse(unauthorized(hasBearer), (response) =>
      withLines(asError(response, 429), ['Retry-After', '60']),
    ),
  },
  'list-open': {
    description: 'The list needs no key.',
    breaks: ['AUTH-1', 'AUTH-4'],
    seenIn: 'read operations without the authentication middleware',
    ...authenticating((request) => isBare(request) && isRequestFor('GET', '/v1/categories', request)),
  },
  'creation-open': {
    description: 'A creation needs no key.',
    breaks: ['AUTH-1', 'AUTH-4'],
    warnings: ['AUTH-6'],
    seenIn: 'routes added after the authentication middleware was bound',
    ...authenticating((request) => isBare(request) && isCreation(request)),
  },
  'any-bearer-accepted': {
    description: 'Any bearer token is accepted.',
    breaks: ['AUTH-2', 'AUTH-3', 'AUTH-5'],
    seenIn: 'tokens that are decoded but not verified',
    ...authenticating(hasBearer),
  },
  'extended-key-accepted': similarKey('A key with extra characters at its end is accepted.', {
    seenIn: 'keys stored in a column of limited length; bcrypt’s 72 bytes',
    like: (token, key) => token.startsWith(key),
  }),
  'truncated-key-accepted': similarKey('A key without its last characters is accepted.', {
    seenIn: 'comparisons over the shorter of two lengths',
    like: (token, key) => token.length > 16 && key.startsWith(token),
  }),
  'signature-not-verified': similarKey('The last eight characters of a key are not compared.', {
    seenIn: 'signed keys that are decoded but not verified; keys looked up by their public part only',
    like: (token, key) => key.length === token.length && key.slice(0, -8) === token.slice(0, -8),
  }),
  'ends-of-key-compared': similarKey('Of a key only the first and the last eight characters are compared.', {
    seenIn: 'keys looked up by the form in which they are shown to people, with dots in their middle',
    like: (token, key) => endsOf(key) === endsOf(token),
  }),
  'text-before-key-ignored': similarKey('What stands right before a key is not compared.', {
    seenIn:
      'searches for the key within the header, such as includes and endsWith; LIKE with a leading wildcard',
    like: (token, key) => token.endsWith(key),
  }),
  'basic-accepted': misplacedKey(
    'The key is accepted as the user or the password of HTTP Basic authentication.',
    {
      seenIn: 'the API keys of Stripe and many gateways',
      find: (request) => {
        const [, encoded = ''] = (headerValues(request, 'Authorization')[0] ?? '').split(/^basic +/i);
        return Buffer.from(encoded, 'base64').toString().split(':');
      },
    },
  ),
  'bare-key-accepted': misplacedKey('The key is accepted as the whole value of Authorization.', {
    seenIn: 'code that strips an optional "Bearer "',
    find: (request) => headerValues(request, 'Authorization'),
  }),
  'query-key-accepted': misplacedKey('The key is accepted in the query string.', {
    seenIn: 'the access_token of RFC 6750 §2.3, in many frameworks by default',
    find: ({ target }) => [...new URL(target, 'http://any').searchParams.values()],
  }),
  'cookie-key-accepted': misplacedKey('The key is accepted in a cookie.', {
    seenIn: 'services that share their session middleware with a website',
    find: (request) => headerValues(request, 'Cookie').flatMap((line) => line.split(/[;=]\s*/)),
  }),
  'x-api-key-accepted': misplacedKey('The key is accepted in X-API-Key.', {
    seenIn: 'gateways that look for keys in several places',
    find: (request) => headerValues(request, 'X-API-Key'),
  }),
  'x-auth-token-accepted': misplacedKey('The key is accepted in X-Auth-Token.', {
    seenIn: 'OpenStack’s services and their successors',
    find: (request) => headerValues(request, 'X-Auth-Token'),
  }),
  'orders-open': {
    description: 'GET /store/orders needs no key.',
    breaks: ['AUTH-5'],
    seenIn: 'operations added later than the others',
    ...editing(unauthorized(isOrders), { status: 200, text: '[]' }),
  },
  'pets-open': {
    description: 'GET /pets/{petId} needs no key.',
    breaks: ['AUTH-5'],
    seenIn: 'deprecated operations left out when authentication was added',
    ...editing(unauthorized(isPet), { status: 200, text: '{}' }),
  },
  'empty-bearer-accepted': {
    description: 'An empty bearer token is accepted.',
    breaks: ['AUTH-3'],
    seenIn: 'keys compared with an environment variable that is not set',
    ...authenticating((request) => /^bearer *$/i.test(headerValues(request, 'Authorization')[0] ?? '')),
  },
  'any-scheme-accepted': misplacedKey('The key is accepted under any scheme.', {
    seenIn: 'code that takes the second word of Authorization (header.split(" ")[1])',
    find: (request) => headerValues(request, 'Authorization').flatMap((value) => value.split(' ').slice(1)),
  }),
  'cache-serves-unauthenticated': {
    description: 'After an authenticated request for the list, a cache serves it to clients without a key.',
    breaks: ['AUTH-1', 'AUTH-4'],
    seenIn: 'shared caches configured to ignore Authorization (RFC 9111 §3.5 forbids it)',
    ...remembering(always, ({ now }) => {
      const stored = new Map<string, { readonly response: SentResponse; readonly at: number }>();
      return (response, request) => {
        if (isList(response, request)) stored.set(request.target, { response: response, at: now() });
        const kept = stored.get(request.target);
        const serves = hasStatus(401)(response, request) && request.method === 'GET' && isBare(request);
        if (!serves || kept === undefined) return response;
        const age = String(1 + Math.floor((now() - kept.at) / 1000));
        return { ...kept.response, headers: [...kept.response.headers, ['Age', age]] };
      };
    }),
  },
  'validates-before-authenticating': {
    description: 'An unauthenticated creation with an invalid body gets 400 instead of 401.',
    warnings: ['AUTH-6'],
    seenIn: 'FastAPI, whose body validation does not wait for its security dependencies',
    ...onResponse(unauthorized(isCreation), (response, request) => {
      const parsed = parseNewCategory(request);
      return parsed.ok ? response : asError(response, 400);
    }),
  },

  // Faults of the chapter "Authentication": whoever claims to be behind the gateway, authenticated by it or a favoured client needs no key.
  'claimed-loopback-open': claimed('X-Forwarded-For', '127.0.0.1', {
    description: 'No key is needed where X-Forwarded-For names 127.0.0.1.',
    seenIn: 'health checks and internal callers that are admitted by address, where every proxy is trusted',
  }),
  'private-address-open': claimed('X-Forwarded-For', '10.0.0.1', {
    description: 'No key is needed where X-Forwarded-For names an address of a private network.',
    seenIn: 'services that exempt their own network, and believe the address that any client claims',
  }),
  'claimed-user-open': claimed('X-Consumer-Username', '1', {
    description: 'No key is needed where X-Consumer-Username names a user.',
    seenIn: 'services behind Kong that read its headers, and gateways that pass on those of a client',
  }),

  // Faults in the operations that the specification only names.
  'orders-unauthorized-page': {
    description: 'The 401 response of GET /store/orders is a page without rate-limit headers.',
    breaks: ['MEDIA-1', 'ERR-2', 'RATE-3'],
    seenIn: 'nginx’s auth_basic or auth_request in front of some paths',
    ...editing(unauthorized(isOrders), { ...PAGE, without: RATE_LIMIT }),
  },
  'orders-as-page': {
    description: 'GET /store/orders with the key returns 200 with an HTML page.',
    breaks: ['MEDIA-1'],
    seenIn: 'routes of a website that were put under the interface, and answer browsers alone',
    ...editing(({ status }, request) => status === 501 && isOrders(request), { ...PAGE, status: 200 }),
  },
};

/** A service that needs no key where the value of this header has this text in it. */
function claimed(
  name: string,
  value: string,
  words: Pick<StatedFault, 'description' | 'seenIn'>,
): StatedFault {
  const claims = (request: Request): boolean =>
    isBare(request) && headerValues(request, name).some((claim) => claim.includes(value));
  return { ...words, breaks: ['AUTH-1'], ...authenticating(claims) };
}

/** Accepts a bearer token that is like a key. */
export function similarKey(
  description: string,
  how: { readonly seenIn: string; readonly like: (token: string, key: string) => boolean },
): StatedFault {
  return { description, breaks: ['AUTH-3'], seenIn: how.seenIn, ...acceptingLike(how.like) };
}

/** Accepts a key from another place than Authorization: Bearer. */
export function misplacedKey(
  description: string,
  how: { readonly seenIn: string; readonly find: (request: Request) => readonly string[] },
): StatedFault {
  const { seenIn, find } = how;
  return {
    description,
    breaks: ['AUTH-4'],
    seenIn,
    ...authenticating((request, keys) => find(request).some((value) => keys.includes(value))),
  };
}
