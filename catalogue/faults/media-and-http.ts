import { headerValues } from '../../reference-server/service/message.ts';
import {
  asError,
  hasStatus,
  isCreated,
  isList,
  isRejected,
  isRequestFor,
  mapHeader,
  onResponse,
  withLines,
  withoutHeaders,
  withText,
  withType,
} from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';

const LONG_BODY_BYTES = 16_384;

/** Faults of the chapter "Media and HTTP". */
export const mediaAndHttp: readonly Fault[] = [
  {
    id: 'list-as-html',
    description: 'The list is JSON and says that it is text/html.',
    breaks: ['MEDIA-1'],
    seenIn: 'PHP and Perl programs that print JSON without setting a type',
    ...onResponse(isList, (response) => withType(response, 'text/html; charset=utf-8')),
  },
  {
    id: 'created-as-text',
    description: 'A 201 is JSON and says that it is text/plain.',
    breaks: ['MEDIA-1'],
    seenIn: 'Go net/http, which sniffs JSON as text/plain when the handler sets no type',
    ...onResponse(isCreated, (response) => withType(response, 'text/plain; charset=utf-8')),
  },
  {
    id: 'refusal-as-problem-json',
    description: 'A 400 is application/problem+json.',
    breaks: ['MEDIA-1'],
    seenIn: 'ASP.NET Core and Spring Boot 3 defaults (RFC 9457)',
    ...onResponse(hasStatus(400), (response) => withType(response, 'application/problem+json')),
  },
  {
    id: 'unauthorized-as-html-page',
    description: 'A 401 is an HTML page.',
    breaks: ['MEDIA-1', 'ERR-2'],
    seenIn: 'nginx and Apache in front of a service, answering 401 themselves',
    ...onResponse(hasStatus(401), (response) =>
      withText(
        withType(response, 'text/html'),
        '<html><body><h1>401 Authorization Required</h1></body></html>',
      ),
    ),
  },
  {
    id: 'malformed-json-html-page',
    description:
      'Malformed JSON alone is answered with an HTML page by the parser, before the error handler.',
    breaks: ['MEDIA-1', 'ERR-1'],
    seenIn: 'Express 5 default error handler',
    ...onResponse(isRejected('malformed_json'), (response) =>
      withText(
        withType(response, 'text/html; charset=utf-8'),
        '<pre>SyntaxError: Unexpected end of JSON input</pre>',
      ),
    ),
  },
  {
    id: 'too-many-requests-as-text',
    description: 'A 429 has a body that is plain text.',
    breaks: [],
    warnings: ['MEDIA-2'],
    seenIn: 'express-rate-limit, hono-rate-limiter and koa-ratelimit defaults',
    ...onResponse(hasStatus(429), (response) =>
      withText(withType(response, 'text/plain'), 'Too many requests, please try again later.'),
    ),
  },
  {
    id: 'charset-refused',
    description: 'A creation sent as application/json; charset=utf-8 is answered 415.',
    breaks: [],
    warnings: ['MEDIA-3'],
    seenIn: 'servers that compare the Content-Type as a string',
    ...onResponse(
      (response, request) =>
        isCreated(response, request) &&
        headerValues(request, 'Content-Type').some((type) => type.includes(';')),
      (response) => asError(response, 415, 'unsupported_media_type', 'Send application/json.'),
    ),
  },
  {
    id: 'no-challenge',
    description: 'A 401 has no WWW-Authenticate.',
    breaks: [],
    warnings: ['HTTP-1'],
    seenIn: 'auth0/express-jwt-authz#19, WebThingsIO/gateway#3145',
    ...onResponse(hasStatus(401), (response) => withoutHeaders(response, 'WWW-Authenticate')),
  },
  {
    id: 'sentence-as-challenge',
    description: 'The WWW-Authenticate of a 401 is a sentence, and no challenge.',
    breaks: [],
    warnings: ['HTTP-1'],
    seenIn: 'headers filled with the message of the error',
    ...onResponse(hasStatus(401), (response) =>
      mapHeader(response, 'WWW-Authenticate', () => 'Send a valid API key, please.'),
    ),
  },
  {
    id: 'no-date',
    description: 'No answer says when it was made.',
    breaks: [],
    warnings: ['HTTP-2'],
    seenIn: 'embedded HTTP servers; Node with sendDate switched off',
    ...onResponse(
      () => true,
      (response) => withoutHeaders(response, 'Date'),
    ),
  },
  {
    id: 'cacheable-429',
    description: 'A 429 may be stored by any cache for a minute.',
    breaks: [],
    warnings: ['HTTP-3'],
    seenIn: 'CDN rules that add max-age to every answer',
    ...onResponse(hasStatus(429), (response) =>
      mapHeader(response, 'Cache-Control', () => 'public, max-age=60'),
    ),
  },
  {
    id: 'expiring-429',
    description: 'A 429 expires in a minute and says nothing else to caches.',
    breaks: [],
    warnings: ['HTTP-3'],
    seenIn: 'Apache’s mod_expires and nginx’s expires, which apply to every answer',
    ...onResponse(hasStatus(429), (response, _, { now }) =>
      withLines(withoutHeaders(response, 'Cache-Control'), [
        'Expires',
        new Date(now() + 60_000).toUTCString(),
      ]),
    ),
  },
  {
    id: 'long-body-crashes',
    description: 'A creation of more than 16 KiB is answered 500.',
    breaks: [],
    warnings: ['HTTP-4'],
    seenIn: 'database columns of bounded length behind a service that does not check',
    ...onResponse(
      (_, request) =>
        isRequestFor('POST', '/v1/categories', request) && (request.body?.length ?? 0) > LONG_BODY_BYTES,
      (response) =>
        asError(response, 500, 'internal_error', 'value too long for type character varying(255)'),
    ),
  },
  {
    id: 'malformed-json-drops-connection',
    description: 'Malformed JSON kills the worker, and the connection with it.',
    breaks: [],
    warnings: ['HTTP-4'],
    seenIn: 'an exception that nobody catches, in any process that serves requests itself',
    ...onResponse(isRejected('malformed_json'), () => ({ kind: 'dropped' })),
  },
  {
    id: 'unauthorized-without-type',
    description: 'A 401 has a body and no Content-Type.',
    breaks: ['MEDIA-1'],
    seenIn: 'bodies written by hand behind a framework that sets the type only where it serialises',
    ...onResponse(hasStatus(401), (response) => withoutHeaders(response, 'Content-Type')),
  },
  {
    id: 'two-types-on-created',
    description: 'A 201 has two Content-Type lines: application/json and text/html.',
    breaks: ['MEDIA-1'],
    seenIn: 'proxies that add a default type instead of setting it',
    ...onResponse(isCreated, (response) => withLines(response, ['Content-Type', 'text/html'])),
  },
  {
    id: 'type-twice-on-list',
    description: 'A list has two Content-Type lines, both application/json.',
    breaks: [],
    warnings: ['MEDIA-1'],
    seenIn: 'proxies that add the type of the service once more',
    ...onResponse(isList, (response) => withLines(response, ['Content-Type', 'application/json'])),
  },
  {
    id: 'scalar-body-html-page',
    description:
      'A body that is a string, a number or null alone is answered with an HTML page by the parser.',
    breaks: ['MEDIA-1', 'ERR-1'],
    seenIn: 'Express’s body parser in its strict mode, which is the default',
    ...onResponse(
      (response, request) => response.status === 400 && /^\s*("|\d|null)/.test(String(request.body ?? '')),
      (response) => withText(withType(response, 'text/html; charset=utf-8'), '<pre>SyntaxError</pre>'),
    ),
  },
  {
    id: 'date-as-iso',
    description: 'Date is in ISO 8601.',
    breaks: [],
    warnings: ['HTTP-2'],
    seenIn: 'hand-made responses of embedded servers',
    ...onResponse(
      () => true,
      (response, _, { now }) => mapHeader(response, 'Date', () => new Date(now()).toISOString()),
    ),
  },
  crashing('null-character-crashes', 'A name with a null character is answered 500.', {
    when: (text) => text.includes('\\u0000'),
    message: 'invalid byte sequence for encoding "UTF8": 0x00',
    seenIn: 'PostgreSQL, which stores no null character in a text',
  }),
  crashing('byte-order-mark-crashes', 'A body that begins with a byte order mark is answered 500.', {
    when: (text) => text.startsWith('\uFEFF'),
    message: 'Unexpected UTF-8 BOM (decode using utf-8-sig)',
    seenIn: 'Python’s json.loads, which raises an exception of its own for it',
  }),
  {
    id: 'named-operation-crashes',
    description: 'GET /pets/{petId} is answered 500.',
    breaks: [],
    warnings: ['HTTP-4'],
    seenIn: 'deprecated operations that nobody tests any more',
    ...onResponse(
      ({ status: code }, request) => code !== 401 && isRequestFor('GET', '/v1/pets/1', request),
      (response) => asError(response, 500, 'internal_error', 'no such table: pets_old'),
    ),
  },
];

/** Some creations are answered 500, by what their bodies hold. */
function crashing(
  id: string,
  description: string,
  how: { readonly when: (text: string) => boolean; readonly message: string; readonly seenIn: string },
): Fault {
  const { when, message, seenIn } = how;
  const crash = onResponse(
    (response, request) =>
      response.status !== 401 &&
      isRequestFor('POST', '/v1/categories', request) &&
      request.body !== null &&
      when(Buffer.from(request.body).toString()),
    (response) => asError(response, 500, 'internal_error', message),
  );
  return { id, description, breaks: [], warnings: ['HTTP-4'], seenIn, ...crash };
}
