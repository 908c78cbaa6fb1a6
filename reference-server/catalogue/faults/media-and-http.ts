import { gzipSync } from 'node:zlib';
import type { Seams } from '../../seams.ts';
import { headerValues } from '../../service/message.ts';
import type { SentResponse } from '../wrappers/responses.ts';
import {
  always,
  bodyText,
  changingHeader,
  changingText,
  edited,
  editing,
  failing,
  hasStatus,
  isCreated,
  isCreation,
  isList,
  isPet,
  isRejected,
  mapHeader,
  onResponse,
  remembering,
  textOf,
  withBytes,
  withLines,
} from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

const LONG_BODY_BYTES = 16_384;

/** Responds 500 to creations with some bodies. */
function crashing(when: (text: string) => boolean): Seams {
  return failing(
    ({ status }, request) => status !== 401 && isCreation(request) && when(bodyText(request)),
    500,
  );
}

/** Faults of the chapter "Media and HTTP". */
export const mediaAndHttp: StatedFaults = {
  'created-as-text': {
    description: 'A 201 response is JSON, but its Content-Type is text/plain.',
    breaks: ['MEDIA-1'],
    seenIn: 'Go net/http, which sniffs JSON as text/plain when the handler sets no type',
    ...editing(isCreated, { type: 'text/plain; charset=utf-8' }),
  },
  'rejection-as-problem-json': {
    description: 'The Content-Type of a 400 response is application/problem+json.',
    breaks: ['MEDIA-1'],
    seenIn: 'ASP.NET Core and Spring Boot 3 defaults (RFC 9457)',
    ...editing(hasStatus(400), { type: 'application/problem+json' }),
  },
  'malformed-json-html-page': {
    description:
      'Malformed JSON, and nothing else, gets an HTML page from the parser, before the error handler runs.',
    breaks: ['MEDIA-1', 'ERR-1'],
    seenIn: 'the default error handler of Express 5',
    ...editing(isRejected('malformed_json'), {
      type: 'text/html; charset=utf-8',
      text: '<pre>SyntaxError: Unexpected end of JSON input</pre>',
    }),
  },
  'too-many-requests-as-text': {
    description: 'A 429 response has a plain-text body.',
    warnings: ['MEDIA-2'],
    seenIn: 'the defaults of express-rate-limit, hono-rate-limiter and koa-ratelimit',
    ...editing(hasStatus(429), { type: 'text/plain', text: 'Too many requests, please try again later.' }),
  },
  'charset-rejected': {
    description: 'A creation sent as application/json; charset=utf-8 gets 415.',
    warnings: ['MEDIA-3'],
    seenIn: 'servers that compare the Content-Type as a string',
    ...failing(
      (response, request) =>
        isCreated(response, request) &&
        headerValues(request, 'Content-Type').some((type) => type.includes(';')),
      415,
    ),
  },
  'no-challenge': {
    description: 'A 401 response has no WWW-Authenticate header.',
    warnings: ['HTTP-1'],
    seenIn: 'auth0/express-jwt-authz#19, WebThingsIO/gateway#3145',
    ...editing(hasStatus(401), { without: ['WWW-Authenticate'] }),
  },
  'challenge-of-another-scheme': {
    description: 'The WWW-Authenticate header of a 401 response names the scheme Basic alone.',
    warnings: ['HTTP-1'],
    seenIn: 'frameworks whose default entry point is Basic, beside a filter for keys (RFC 9110 §15.5.2)',
    ...changingHeader(hasStatus(401), 'WWW-Authenticate', () => 'Basic realm="Bearer, petstore"'),
  },
  'cacheable-429': {
    description: 'Any cache may store a 429 response for a minute.',
    warnings: ['HTTP-3'],
    seenIn: 'CDN rules that add max-age to every response',
    ...changingHeader(hasStatus(429), 'Cache-Control', () => 'public, max-age=60'),
  },
  'expiring-429': {
    description:
      'A 429 response has an Expires header one minute ahead, and no other instruction for caches.',
    warnings: ['HTTP-3'],
    seenIn: 'Apache’s mod_expires and nginx’s expires, which apply to every response',
    ...onResponse(hasStatus(429), (response, _, { now }) =>
      edited(response, {
        without: ['Cache-Control'],
        lines: { Expires: new Date(now() + 60_000).toUTCString() },
      }),
    ),
  },
  'long-body-crashes': {
    description: 'A creation of more than 16 KiB gets 500.',
    warnings: ['HTTP-4'],
    seenIn: 'database columns of limited length behind a service that does not check',
    ...failing((_, request) => isCreation(request) && (request.body?.length ?? 0) > LONG_BODY_BYTES, 500),
  },
  'malformed-json-drops-connection': {
    description: 'Malformed JSON crashes the worker, which drops the connection.',
    warnings: ['HTTP-4'],
    seenIn: 'an uncaught exception in any process that serves requests itself',
    ...onResponse(isRejected('malformed_json'), () => ({ kind: 'dropped' })),
  },
  'unauthorized-without-type': {
    description: 'A 401 response has a body but no Content-Type.',
    breaks: ['MEDIA-1'],
    seenIn: 'bodies written by hand in a framework that sets the type only when it serializes',
    ...editing(hasStatus(401), { without: ['Content-Type'] }),
  },
  'two-types-on-created': {
    description: 'A 201 response has two Content-Type lines: application/json and text/html.',
    breaks: ['MEDIA-1'],
    seenIn: 'proxies that add a default type instead of setting it',
    ...editing(isCreated, { lines: { 'Content-Type': 'text/html' } }),
  },
  'type-twice-on-list': {
    description: 'A list has two Content-Type lines, both application/json.',
    warnings: ['MEDIA-1'],
    seenIn: 'proxies that add the type of the service a second time',
    ...editing(isList, { lines: { 'Content-Type': 'application/json' } }),
  },
  'date-in-utc': {
    description: 'The Date header ends with UTC instead of GMT.',
    warnings: ['HTTP-2'],
    seenIn: 'time.RFC1123 in Go, which writes the name of the zone',
    ...changingHeader(always, 'Date', (date) => date.replace('GMT', 'UTC')),
  },
  'date-stands-still': {
    description: 'The Date header is that of the first response in every response.',
    warnings: ['HTTP-2'],
    seenIn: 'headers that are computed once, when the server starts',
    ...remembering(always, () => {
      let first: string | undefined;
      return (response) =>
        mapHeader(response, 'Date', (date) => {
          first ??= date;
          return first;
        });
    }),
  },
  'null-character-crashes': {
    description: 'A name with a null character gets 500.',
    warnings: ['HTTP-4'],
    seenIn: 'PostgreSQL, which cannot store a null character in a text',
    ...crashing((text) => text.includes('\\u0000')),
  },
  'byte-order-mark-crashes': {
    description: 'A body that begins with a byte order mark gets 500.',
    warnings: ['HTTP-4'],
    seenIn: 'Python’s json.loads, which raises an exception of its own for it',
    ...crashing((text) => text.startsWith('\uFEFF')),
  },
  'named-operation-crashes': {
    description: 'GET /pets/{petId} gets 500.',
    warnings: ['HTTP-4'],
    seenIn: 'deprecated operations that are no longer tested',
    ...failing(({ status }, request) => status !== 401 && isPet(request), 500),
  },

  // Faults of the chapter "Media and HTTP": the encoding of JSON bodies.
  'list-in-utf-16': {
    description: 'The list is encoded in UTF-16, and its Content-Type says so.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seenIn: 'Windows services whose default text encoding is "Unicode"',
    ...onResponse(isList, (response) =>
      edited(withBytes(response, Buffer.from(textOf(response), 'utf16le')), {
        type: 'application/json; charset=utf-16',
      }),
    ),
  },
  'list-in-invalid-utf-8': {
    description: 'The list contains a byte that is invalid in UTF-8.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seenIn: 'texts cut within a character by a column whose length is counted in bytes',
    ...onResponse(isList, (response) =>
      withBytes(
        response,
        Buffer.concat([Buffer.from('[{"id":0,"name":"caf'), Buffer.from([0xc3]), afterFirst(response)]),
      ),
    ),
  },
  'created-in-latin-1': {
    description: 'A 201 response is encoded in Latin-1, so that an é is invalid UTF-8.',
    breaks: ['MEDIA-1', 'CREATE-3'],
    seenIn: 'PHP 5 and servlets, whose default encoding is ISO-8859-1',
    ...onResponse(isCreated, (response) => withBytes(response, Buffer.from(textOf(response), 'latin1'))),
  },
  'list-with-trailing-comma': {
    description: 'The list has a trailing comma after its last item.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seenIn: 'JSON written by a loop in a template',
    ...changingText(isList, (text) => text.replace(/\}\]$/, '},]')),
  },
  'list-as-json-text': {
    description: 'The body is a JSON string that contains the list.',
    breaks: ['LIST-2'],
    seenIn: 'serializers that are called twice; AWS Lambda proxies that stringify the body again',
    ...changingText(isList, (text) => JSON.stringify(text)),
  },
  'list-in-xml-unless-json-is-accepted': {
    description: 'The list is XML unless the Accept header names JSON.',
    breaks: ['MEDIA-1', 'LIST-2'],
    seenIn: 'JAX-RS resources whose @Produces names XML first',
    ...editing(
      (response, request) =>
        isList(response, request) && headerValues(request, 'Accept').every((type) => !type.includes('json')),
      { type: 'application/xml', text: '<categories/>' },
    ),
  },
  'list-with-byte-order-mark': {
    description: 'The list begins with a byte order mark.',
    warnings: ['MEDIA-1'],
    seenIn: '.NET’s Encoding.UTF8; files saved by Windows editors and served unchanged',
    ...changingText(isList, (text) => `\uFEFF${text}`),
  },
  'list-with-a-repeated-name': {
    description: 'Each category of the list has the name "id" twice: first with 0, then with its id.',
    warnings: ['MEDIA-1'],
    seenIn:
      'serializers that write a field and a getter of the same name; JSON written by string concatenation',
    ...changingText(isList, (text) => text.replaceAll('{"id":', '{"id":0,"id":')),
  },
  'list-says-gzip': {
    description: 'The list is plain JSON, but its Content-Encoding says gzip.',
    breaks: ['MEDIA-1'],
    seenIn: 'proxies that decompress a body and pass its header on',
    ...editing(isList, { lines: { 'Content-Encoding': 'gzip' } }),
  },
  'charset-as-content-encoding': {
    description: 'The Content-Encoding of the list is UTF-8.',
    warnings: ['MEDIA-1'],
    seenIn: 'services that take the header for the place of the charset',
    ...editing(isList, { lines: { 'Content-Encoding': 'UTF-8' } }),
  },
  'list-gzipped': {
    description: 'The list is compressed although the client asked for identity.',
    warnings: ['MEDIA-1'],
    seenIn: 'CDNs that store one compressed copy for all clients',
    ...onResponse(isList, (response) =>
      withLines(withBytes(response, gzipSync(response.body)), ['Content-Encoding', 'gzip']),
    ),
  },
};

/** The bytes after the broken name of a first item: its end, and the items of the list. */
function afterFirst(response: SentResponse): Uint8Array {
  const rest = textOf(response).slice(1);
  return Buffer.from(rest === ']' ? '"}]' : `"},${rest}`);
}
