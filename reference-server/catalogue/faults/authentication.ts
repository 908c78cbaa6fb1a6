import { parseNewCategory } from '../../service/categories.ts';
import type { Request } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';
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
  remembering,
  unauthorized,
  withLines,
} from '../wrappers/responses.ts';
import type { StatedFault, StatedFaults } from './fault.ts';
import { admittedKeys, authenticating, hasBearer, isBare, misplacedKey } from './named-operations.ts';

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
    undecidable: {
      requirement: 'AUTH-2',
      because:
        'Unauthenticated clients may have a small limit of their own, and the specification does not say which of the two statuses comes first: a conforming service whose limit for unauthenticated clients is exhausted sends the same response.',
    },
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
  ...admittedKeys,
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
