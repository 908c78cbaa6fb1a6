import { gzipSync } from 'node:zlib';
import type { HeaderLine, Request } from '../../reference-server/message.ts';
import { headerValues } from '../../reference-server/message.ts';
import type { Seams } from '../../reference-server/seams.ts';
import type { Reply } from '../faults/answers.ts';
import {
  asError,
  asks,
  isRefused,
  mapHeader,
  onReply,
  plus,
  status,
  textOf,
  withJson,
  without,
  withText,
  withType,
} from '../faults/answers.ts';
import { uncounted } from '../faults/counting.ts';
import type { Variant } from './variant.ts';
import { conforms, unseen, warnedOf } from './variant.ts';

const EVERY = (): boolean => true;

/** More than any report or journal shows of a body. */
const WHITE_SPACE = 20_000;

const NO_BODY = unseen('What is not there has no media type.', 'MEDIA-2');

/** Lawful headers, media types and bodies. */
export const media: readonly Variant[] = [
  {
    id: 'header-names-in-lower-case',
    row: 'K03',
    says: 'Every header name is in lower case.',
    deserves: conforms,
    seen: 'Fastify, HTTP/2 in front of HTTP/1.1',
    ...onReply(EVERY, (reply) => ({
      ...reply,
      headers: reply.headers.map(([name, value]): HeaderLine => [name.toLowerCase(), value]),
    })),
  },
  typed('json-with-charset', 'application/json; charset=utf-8', 'Express, Spring, ASP.NET Core'),
  typed('json-with-charset-in-capitals', 'application/json;charset=UTF-8', 'Spring before 5.2, Jersey'),
  typed('json-in-mixed-case', 'Application/JSON', 'RFC 9110 §8.3.1: media types are read without case'),
  {
    id: 'too-many-requests-as-problem-json',
    row: 'K50',
    says: 'A 429 is application/problem+json with code, message and status; the specification shows no body of a 429.',
    deserves: warnedOf('MEDIA-2'),
    seen: 'RFC 9457; Internet-Draft ratelimit-headers, problem type quota-exceeded',
    ...onReply(status(429), (reply) =>
      withJson(withType(reply, 'application/problem+json'), (error) => ({
        type: 'about:blank',
        title: 'Too Many Requests',
        ...error,
      })),
    ),
  },
  {
    id: 'gzip-where-offered',
    row: 'K52',
    says: 'Bodies are compressed for clients that offer gzip.',
    deserves: conforms,
    seen: 'nginx with gzip, every compression middleware',
    examine: 'over sockets',
    ...onReply(acceptsGzip, (reply) => {
      const body = gzipSync(reply.body);
      const sized = mapHeader(reply, 'Content-Length', () => String(body.length));
      return { ...plus(sized, ['Content-Encoding', 'gzip'], ['Vary', 'Accept-Encoding']), body };
    }),
  },
  {
    id: 'malformed-json-422',
    row: 'K65',
    says: 'Malformed JSON is answered 422.',
    deserves: warnedOf('CREATE-9'),
    seen: 'FastAPI, Laravel',
    ...onReply(isRefused('malformed_json'), (reply) =>
      asError(reply, 422, 'unprocessable', 'The body cannot be read.'),
    ),
  },
  {
    id: 'malformed-json-415',
    row: 'K65',
    says: 'Malformed JSON and other media types are answered 415.',
    deserves: warnedOf('CREATE-9'),
    seen: 'JAX-RS, Spring',
    ...onReply(isRefused('malformed_json', 'unsupported_content_type'), (reply) =>
      asError(reply, 415, 'unsupported_media_type', 'Send JSON.'),
    ),
  },
  {
    id: 'absent-body-411',
    row: 'K65',
    says: 'A creation without a body is answered 411.',
    deserves: warnedOf('CREATE-8'),
    seen: 'IIS and older proxies, which ask for the length of a POST',
    ...onReply(isRefused('body_required'), (reply) =>
      asError(reply, 411, 'length_required', 'Send a body and its length.'),
    ),
  },
  {
    id: 'absent-body-422',
    row: 'K65',
    says: 'A creation without a body and malformed JSON are answered 422.',
    deserves: warnedOf('CREATE-8', 'CREATE-9'),
    seen: 'FastAPI, for a body that is required',
    ...onReply(isRefused('body_required', 'malformed_json'), (reply) =>
      asError(reply, 422, 'unprocessable', 'Field required.'),
    ),
  },
  {
    id: 'white-space-before-json',
    row: 'K79',
    says: `Every body begins with ${WHITE_SPACE} characters of white space.`,
    deserves: conforms,
    seen: 'RFC 8259 §2: white space is allowed before a JSON value; templates, and proxies that keep a connection busy',
    ...onReply(EVERY, (reply) => withText(reply, `${' \t\r\n'.repeat(WHITE_SPACE / 4)}${textOf(reply)}`)),
  },
  {
    id: 'unlimited-404',
    row: 'K67',
    says: 'What the specification only names is answered 404, without rate-limit headers and uncounted.',
    deserves: conforms,
    seen: '@fastify/rate-limit, Flask-Limiter, @nestjs/throttler: unknown routes bypass the limiter',
    ...uncounted((request) => !asks(request.method, '/v1/categories', request)),
    ...onReply(
      (_, request) => !asks(request.method, '/v1/categories', request),
      (reply) => unlimited(asError(reply, 404, 'not_found', 'There is no such resource.')),
    ),
  },
  refused('too-many-requests-without-body', 'A 429 has no body.', NO_BODY, {
    change: (reply) => withText(without(reply, 'Content-Type'), ''),
    seen: 'Tyk and nginx modules that only set the status',
  }),
  refused('too-many-requests-in-text', 'A 429 is a sentence in text/plain.', warnedOf('MEDIA-2'), {
    change: (reply) => withText(withType(reply, 'text/plain'), 'Too many requests.'),
    seen: 'koa-ratelimit, hono-rate-limiter',
  }),
  refused('too-many-requests-as-html', 'A 429 is an HTML page.', warnedOf('MEDIA-2'), {
    change: (reply) => withText(withType(reply, 'text/html'), '<h1>429 Too Many Requests</h1>'),
    seen: 'nginx, express-rate-limit behind Express’ send()',
  }),
  refused('too-many-requests-as-other-json', 'A 429 is JSON, and no Error.', conforms, {
    change: (reply) => withJson(reply, () => ({ detail: 'Request was throttled.' })),
    seen: 'Django REST framework, FastAPI',
  }),
  {
    id: 'unauthorized-without-challenge',
    row: 'K69',
    says: 'A 401 has no WWW-Authenticate, of which the specification says nothing.',
    deserves: warnedOf('HTTP-1'),
    seen: 'most services that check a key themselves',
    ...onReply(status(401), (reply) => without(reply, 'WWW-Authenticate')),
  },
  {
    id: 'draft-headers-besides',
    row: 'K70',
    says: 'RateLimit and RateLimit-Policy stand beside the three headers.',
    deserves: conforms,
    seen: 'Internet-Draft ratelimit-headers; express-rate-limit with both styles',
    ...onReply(EVERY, (reply) =>
      plus(reply, ['RateLimit', '"default";r=1;t=2'], ['RateLimit-Policy', '"default";q=60;w=60']),
    ),
  },
  {
    id: 'headers-twice-the-same',
    row: 'K71',
    says: 'Each of the three headers stands there twice with the same value.',
    deserves: warnedOf('RATE-1', 'RATE-2', 'RATE-3', 'RATE-4'),
    seen: 'ulule/limiter nested: Header().Add where Set belongs',
    ...onReply(EVERY, (reply) =>
      plus(reply, ...reply.headers.filter(([name]) => name.startsWith('X-RateLimit-'))),
    ),
  },
];

const unlimited = (reply: Reply): Reply =>
  without(reply, 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset');

function acceptsGzip(_: Reply, request: Request): boolean {
  return headerValues(request, 'Accept-Encoding').some((value) => /\bgzip\b/.test(value));
}

/** Answers that are JSON under another spelling. */
function typed(id: string, type: string, seen: string): Variant {
  const change: Seams = onReply(EVERY, (reply) => withType(reply, type));
  return { id, row: 'K49', says: `Bodies are ${type}.`, deserves: conforms, seen, ...change };
}

/** A 429 with another body. */
function refused(
  id: string,
  says: string,
  deserves: Variant['deserves'],
  { change, seen }: { readonly change: (reply: Reply) => Reply; readonly seen: string },
): Variant {
  return { id, row: 'K68', says, deserves, seen, ...onReply(status(429), change) };
}
