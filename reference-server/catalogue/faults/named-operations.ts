import type { Request } from '../../service/message.ts';
import type { SentResponse } from '../wrappers/responses.ts';
import {
  asError,
  isRequestFor,
  onResponse,
  withLines,
  withoutHeaders,
  withText,
  withType,
} from '../wrappers/responses.ts';
import { bearerOf } from './admitted-keys.ts';
import type { Fault } from './fault.ts';

const isOrders = (request: Request): boolean => isRequestFor('GET', '/v1/store/orders', request);
const isPet = (request: Request): boolean => isRequestFor('GET', '/v1/pets/1', request);
const closed =
  (applies: (request: Request) => boolean) =>
  (response: SentResponse, request: Request): boolean =>
    response.status === 401 && applies(request);

const page = (response: SentResponse): SentResponse =>
  withText(withType(response, 'text/html'), '<!doctype html><title>Log in</title>');

/** Faults in the operations that the specification only names. */
export const namedOperations: readonly Fault[] = [
  {
    id: 'orders-unauthorized-403',
    description: 'GET /store/orders without a key gets 403.',
    breaks: ['AUTH-5'],
    seenIn: 'routes that check a role instead of the key; the defaults of Spring Security',
    ...onResponse(closed(isOrders), (response) => asError(response, 403, 'forbidden', 'Forbidden')),
  },
  {
    id: 'orders-login-redirect',
    description: 'GET /store/orders without a key is redirected to a login page.',
    breaks: ['AUTH-5'],
    seenIn: 'shops whose orders belong to the website: Django’s login_required, Devise',
    ...onResponse(closed(isOrders), (response) =>
      withLines(asError(response, 302, 'found', 'Log in'), ['Location', '/login?next=/v1/store/orders']),
    ),
  },
  {
    id: 'pets-unknown-key-400',
    description: 'GET /pets/{petId} with an unknown key gets 400.',
    breaks: ['AUTH-5'],
    seenIn: 'old operations whose parser of tokens throws',
    ...onResponse(
      closed((request) => isPet(request) && bearerOf(request) !== ''),
      (response) => asError(response, 400, 'malformed_token', 'The token cannot be read.'),
    ),
  },
  {
    id: 'orders-unauthorized-page',
    description: 'The 401 response of GET /store/orders is a page without rate-limit headers.',
    breaks: ['MEDIA-1', 'ERR-2', 'RATE-3'],
    seenIn: 'nginx’s auth_basic or auth_request in front of some paths',
    ...onResponse(closed(isOrders), (response) =>
      page(withoutHeaders(response, 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset')),
    ),
  },
  {
    id: 'orders-as-page',
    description: 'GET /store/orders with the key returns 200 with an HTML page.',
    breaks: ['MEDIA-1'],
    seenIn: 'routes of a website that were put under the interface, and answer browsers alone',
    ...onResponse(
      (response, request) => response.status === 501 && isOrders(request),
      (response) => ({ ...page(response), status: 200 }),
    ),
  },
  {
    id: 'pets-as-text',
    description: 'GET /pets/{petId} with the key returns 200 with plain text.',
    breaks: ['MEDIA-1'],
    seenIn: 'deprecated operations that were replaced by a note',
    ...onResponse(
      (response, request) => response.status === 501 && isPet(request),
      (response) => ({
        ...withText(withType(response, 'text/plain'), 'This operation is no longer maintained.'),
        status: 200,
      }),
    ),
  },
];
