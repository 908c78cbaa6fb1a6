import { headerValues } from '../../reference-server/message.ts';
import {
  asError,
  asks,
  isCreated,
  isList,
  isRefused,
  mapHeader,
  onReply,
  plus,
  status,
  without,
  withText,
  withType,
} from './answers.ts';
import type { Fault } from './fault.ts';

const LONG_BODY_BYTES = 16_384;

/** Faults of the chapter "Media and HTTP". */
export const mediaAndHttp: readonly Fault[] = [
  {
    id: 'list-as-html',
    says: 'The list is JSON and says that it is text/html.',
    breaks: ['MEDIA-1'],
    seen: 'PHP and Perl programs that print JSON without setting a type',
    ...onReply(isList, (reply) => withType(reply, 'text/html; charset=utf-8')),
  },
  {
    id: 'created-as-text',
    says: 'A 201 is JSON and says that it is text/plain.',
    breaks: ['MEDIA-1'],
    seen: 'Go net/http, which sniffs JSON as text/plain when the handler sets no type',
    ...onReply(isCreated, (reply) => withType(reply, 'text/plain; charset=utf-8')),
  },
  {
    id: 'refusal-as-problem-json',
    says: 'A 400 is application/problem+json.',
    breaks: ['MEDIA-1'],
    seen: 'ASP.NET Core and Spring Boot 3 defaults (RFC 9457)',
    ...onReply(status(400), (reply) => withType(reply, 'application/problem+json')),
  },
  {
    id: 'unauthorized-as-html-page',
    says: 'A 401 is an HTML page.',
    breaks: ['MEDIA-1', 'ERR-2'],
    seen: 'nginx and Apache in front of a service, answering 401 themselves',
    ...onReply(status(401), (reply) =>
      withText(withType(reply, 'text/html'), '<html><body><h1>401 Authorization Required</h1></body></html>'),
    ),
  },
  {
    id: 'malformed-json-html-page',
    says: 'Malformed JSON alone is answered with an HTML page by the parser, before the error handler.',
    breaks: ['MEDIA-1', 'ERR-1'],
    seen: 'Express 5 default error handler',
    ...onReply(isRefused('malformed_json'), (reply) =>
      withText(
        withType(reply, 'text/html; charset=utf-8'),
        '<pre>SyntaxError: Unexpected end of JSON input</pre>',
      ),
    ),
  },
  {
    id: 'too-many-requests-as-text',
    says: 'A 429 has a body that is plain text.',
    breaks: [],
    warns: ['MEDIA-2'],
    seen: 'express-rate-limit, hono-rate-limiter and koa-ratelimit defaults',
    ...onReply(status(429), (reply) =>
      withText(withType(reply, 'text/plain'), 'Too many requests, please try again later.'),
    ),
  },
  {
    id: 'charset-refused',
    says: 'A creation sent as application/json; charset=utf-8 is answered 415.',
    breaks: [],
    warns: ['MEDIA-3'],
    seen: 'servers that compare the Content-Type as a string',
    ...onReply(
      (reply, request) =>
        isCreated(reply, request) && headerValues(request, 'Content-Type').some((type) => type.includes(';')),
      (reply) => asError(reply, 415, 'unsupported_media_type', 'Send application/json.'),
    ),
  },
  {
    id: 'no-challenge',
    says: 'A 401 has no WWW-Authenticate.',
    breaks: [],
    warns: ['HTTP-1'],
    seen: 'auth0/express-jwt-authz#19, WebThingsIO/gateway#3145',
    ...onReply(status(401), (reply) => without(reply, 'WWW-Authenticate')),
  },
  {
    id: 'sentence-as-challenge',
    says: 'The WWW-Authenticate of a 401 is a sentence, and no challenge.',
    breaks: [],
    warns: ['HTTP-1'],
    seen: 'headers filled with the message of the error',
    ...onReply(status(401), (reply) =>
      mapHeader(reply, 'WWW-Authenticate', () => 'Send a valid API key, please.'),
    ),
  },
  {
    id: 'no-date',
    says: 'No answer says when it was made.',
    breaks: [],
    warns: ['HTTP-2'],
    seen: 'embedded HTTP servers; Node with sendDate switched off',
    ...onReply(
      () => true,
      (reply) => without(reply, 'Date'),
    ),
  },
  {
    id: 'cacheable-429',
    says: 'A 429 may be stored by any cache for a minute.',
    breaks: [],
    warns: ['HTTP-3'],
    seen: 'CDN rules that add max-age to every answer',
    ...onReply(status(429), (reply) => mapHeader(reply, 'Cache-Control', () => 'public, max-age=60')),
  },
  {
    id: 'expiring-429',
    says: 'A 429 expires in a minute and says nothing else to caches.',
    breaks: [],
    warns: ['HTTP-3'],
    seen: 'Apache’s mod_expires and nginx’s expires, which apply to every answer',
    ...onReply(status(429), (reply, _, { now }) =>
      plus(without(reply, 'Cache-Control'), ['Expires', new Date(now() + 60_000).toUTCString()]),
    ),
  },
  {
    id: 'long-body-crashes',
    says: 'A creation of more than 16 KiB is answered 500.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'database columns of bounded length behind a service that does not check',
    ...onReply(
      (_, request) =>
        asks('POST', '/v1/categories', request) && (request.body?.length ?? 0) > LONG_BODY_BYTES,
      (reply) => asError(reply, 500, 'internal_error', 'value too long for type character varying(255)'),
    ),
  },
  {
    id: 'malformed-json-drops-connection',
    says: 'Malformed JSON kills the worker, and the connection with it.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'an exception that nobody catches, in any process that serves requests itself',
    ...onReply(isRefused('malformed_json'), () => ({ kind: 'dropped' })),
  },
  {
    id: 'unauthorized-without-type',
    says: 'A 401 has a body and no Content-Type.',
    breaks: ['MEDIA-1'],
    seen: 'bodies written by hand behind a framework that sets the type only where it serialises',
    ...onReply(status(401), (reply) => without(reply, 'Content-Type')),
  },
  {
    id: 'two-types-on-created',
    says: 'A 201 has two Content-Type lines: application/json and text/html.',
    breaks: ['MEDIA-1'],
    seen: 'proxies that add a default type instead of setting it',
    ...onReply(isCreated, (reply) => plus(reply, ['Content-Type', 'text/html'])),
  },
  {
    id: 'type-twice-on-list',
    says: 'A list has two Content-Type lines, both application/json.',
    breaks: [],
    warns: ['MEDIA-1'],
    seen: 'proxies that add the type of the service once more',
    ...onReply(isList, (reply) => plus(reply, ['Content-Type', 'application/json'])),
  },
  {
    id: 'scalar-body-html-page',
    says: 'A body that is a string, a number or null alone is answered with an HTML page by the parser.',
    breaks: ['MEDIA-1', 'ERR-1'],
    seen: 'Express’s body parser in its strict mode, which is the default',
    ...onReply(
      (reply, request) => reply.status === 400 && /^\s*("|\d|null)/.test(String(request.body ?? '')),
      (reply) => withText(withType(reply, 'text/html; charset=utf-8'), '<pre>SyntaxError</pre>'),
    ),
  },
  {
    id: 'date-as-iso',
    says: 'Date is in ISO 8601.',
    breaks: [],
    warns: ['HTTP-2'],
    seen: 'hand-made responses of embedded servers',
    ...onReply(
      () => true,
      (reply, _, { now }) => mapHeader(reply, 'Date', () => new Date(now()).toISOString()),
    ),
  },
  crashing('null-character-crashes', 'A name with a null character is answered 500.', {
    when: (text) => text.includes('\\u0000'),
    message: 'invalid byte sequence for encoding "UTF8": 0x00',
    seen: 'PostgreSQL, which stores no null character in a text',
  }),
  crashing('byte-order-mark-crashes', 'A body that begins with a byte order mark is answered 500.', {
    when: (text) => text.startsWith('\uFEFF'),
    message: 'Unexpected UTF-8 BOM (decode using utf-8-sig)',
    seen: 'Python’s json.loads, which raises an exception of its own for it',
  }),
  {
    id: 'named-operation-crashes',
    says: 'GET /pets/{petId} is answered 500.',
    breaks: [],
    warns: ['HTTP-4'],
    seen: 'deprecated operations that nobody tests any more',
    ...onReply(
      ({ status: code }, request) => code !== 401 && asks('GET', '/v1/pets/1', request),
      (reply) => asError(reply, 500, 'internal_error', 'no such table: pets_old'),
    ),
  },
];

/** Some creations are answered 500, by what their bodies hold. */
function crashing(
  id: string,
  says: string,
  how: { readonly when: (text: string) => boolean; readonly message: string; readonly seen: string },
): Fault {
  const { when, message, seen } = how;
  const crash = onReply(
    (reply, request) =>
      reply.status !== 401 &&
      asks('POST', '/v1/categories', request) &&
      request.body !== null &&
      when(Buffer.from(request.body).toString()),
    (reply) => asError(reply, 500, 'internal_error', message),
  );
  return { id, says, breaks: [], warns: ['HTTP-4'], seen, ...crash };
}
