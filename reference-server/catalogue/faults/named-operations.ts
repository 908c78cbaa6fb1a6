import type { SeamContext, Seams } from '../../seams.ts';
import type { Caller, Identify } from '../../service/callers.ts';
import type { Request } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';
import { editing, isOrders, RATE_LIMIT, unauthorized } from '../wrappers/responses.ts';
import type { StatedFault, StatedFaults } from './fault.ts';

/** Faults of the chapter "Authentication": invalid keys, and keys in the wrong place, that are accepted. */
export const admittedKeys: StatedFaults = {
  'extended-key-accepted': {
    description: 'A key with extra characters at its end is accepted.',
    breaks: ['AUTH-3'],
    seenIn: 'keys stored in a column of limited length; bcrypt’s 72 bytes',
    ...acceptingLike((token, key) => token.startsWith(key)),
  },
  'truncated-key-accepted': {
    description: 'A key without its last characters is accepted.',
    breaks: ['AUTH-3'],
    seenIn: 'comparisons over the shorter of two lengths',
    ...acceptingLike((token, key) => token.length > 16 && key.startsWith(token)),
  },
  'signature-not-verified': {
    description: 'The last eight characters of a key are not compared.',
    breaks: ['AUTH-3'],
    seenIn: 'signed keys that are decoded but not verified; keys looked up by their public part only',
    ...acceptingLike((token, key) => key.length === token.length && key.slice(0, -8) === token.slice(0, -8)),
  },
  'ends-of-key-compared': {
    description: 'Of a key only the first and the last eight characters are compared.',
    breaks: ['AUTH-3'],
    seenIn: 'keys looked up by the form in which they are shown to people, with dots in their middle',
    ...acceptingLike((token, key) => endsOf(key) === endsOf(token)),
  },
  'text-before-key-ignored': {
    description: 'What stands right before a key is not compared.',
    breaks: ['AUTH-3'],
    seenIn:
      'searches for the key within the header, such as includes and endsWith; LIKE with a leading wildcard',
    ...acceptingLike((token, key) => token.endsWith(key)),
  },
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
};

/** The bearer token of a request; empty where it has none. */
export function bearerOf(request: Request): string {
  return /^bearer +(\S+)$/i.exec(headerValues(request, 'Authorization')[0] ?? '')?.[1] ?? '';
}

/** Whether a request has no credential at all. */
export const isBare = (request: Request): boolean => headerValues(request, 'Authorization').length === 0;

export const hasBearer = (request: Request): boolean => bearerOf(request) !== '';

const endsOf = (key: string): string => `${key.slice(0, 8)}…${key.slice(-8)}`;

function allKeys({ keys }: SeamContext): readonly string[] {
  return Object.values(keys).flat();
}

/** Authenticates some unauthenticated requests, with a limit of their own so that nothing else changes. */
export function authenticating(admits: (request: Request, keys: readonly string[]) => boolean): Seams {
  return {
    wrapIdentify(identify: Identify, context): Identify {
      return (request) => {
        const identity = identify(request);
        if (identity.caller.authenticated || !admits(request, allKeys(context))) return identity;
        const caller: Caller = { ...identity.caller, authenticated: true };
        return { ...identity, caller };
      };
    },
  };
}

/** Authenticates a bearer token that is like a key. */
export function acceptingLike(isLike: (token: string, key: string) => boolean): Seams {
  return authenticating((request, keys) => keys.some((key) => isLike(bearerOf(request), key)));
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

const PAGE = { type: 'text/html', text: '<!doctype html><title>Log in</title>' } as const;

/** Faults in the operations that the specification only names. */
export const namedOperations: StatedFaults = {
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
