import { gzipSync } from 'node:zlib';
import type { Seams } from '../../seams.ts';
import type { Request } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';
import { uncounted } from '../wrappers/counting.ts';
import type { SentResponse } from '../wrappers/responses.ts';
import {
  always,
  asError,
  changingHeader,
  changingText,
  edited,
  editing,
  failing,
  hasStatus,
  isRejected,
  isRequestFor,
  mapHeader,
  onResponse,
  RATE_LIMIT,
  withBytes,
  withJson,
  withLines,
  withNames,
  withoutRateLimit,
} from '../wrappers/responses.ts';
import type { StatedVariant, StatedVariants } from './variant.ts';

/** More characters than a report or journal shows of a body. */
const WHITESPACE = 20_000;

/** Conforming headers, media types and bodies. */
export const media: StatedVariants = {
  'header-names-in-lower-case': {
    topic: 'K03',
    description: 'Every header name is in lower case.',
    seenIn: 'Fastify, HTTP/2 in front of HTTP/1.1',
    ...onResponse(always, (response) => withNames(response, (name) => name.toLowerCase())),
  },
  'json-with-charset': withMediaType('application/json; charset=utf-8', 'Express, Spring, ASP.NET Core'),
  'json-in-mixed-case': withMediaType(
    'Application/JSON',
    'RFC 9110 §8.3.1: media types are compared without case',
  ),
  'too-many-requests-as-problem-json': {
    topic: 'K50',
    description:
      'A 429 response is application/problem+json with code, message and status; the specification does not show its body.',
    warnings: ['MEDIA-2'],
    seenIn: 'RFC 9457; Internet-Draft ratelimit-headers, problem type quota-exceeded',
    ...onResponse(hasStatus(429), (response) =>
      withJson(edited(response, { type: 'application/problem+json' }), (error) => ({
        type: 'about:blank',
        title: 'Too Many Requests',
        ...error,
      })),
    ),
  },
  'gzip-where-offered': {
    topic: 'K52',
    description: 'Bodies are compressed for clients that accept gzip.',
    seenIn: 'nginx with gzip; every compression middleware',
    testedWith: 'sockets',
    ...onResponse(acceptsGzip, (response) =>
      withLines(
        withBytes(response, gzipSync(response.body)),
        ['Content-Encoding', 'gzip'],
        ['Vary', 'Accept-Encoding'],
      ),
    ),
  },
  'identity-as-content-encoding': {
    topic: 'K52',
    description: 'Responses have Content-Encoding: identity, and bodies are as they are.',
    seenIn: 'AWS SDKs and proxies that write the header always',
    ...editing(always, { lines: { 'Content-Encoding': 'identity' } }),
  },
  'malformed-json-415': {
    topic: 'K65',
    description: 'Malformed JSON and other media types get 415.',
    warnings: ['CREATE-9'],
    seenIn: 'JAX-RS, Spring',
    ...failing(isRejected('malformed_json', 'unsupported_content_type'), 415),
  },
  'absent-body-422': {
    topic: 'K65',
    description: 'A creation without a body and malformed JSON get 422.',
    warnings: ['CREATE-8', 'CREATE-9'],
    seenIn: 'FastAPI, for a required body',
    ...failing(isRejected('body_required', 'malformed_json'), 422),
  },
  'white-space-before-json': {
    topic: 'K79',
    description: `Every body begins with ${WHITESPACE} characters of whitespace.`,
    seenIn:
      'RFC 8259 §2: whitespace is allowed before a JSON value; templates, and proxies that keep a connection busy',
    ...changingText(always, (text) => `${' \t\r\n'.repeat(WHITESPACE / 4)}${text}`),
  },
  'unlimited-404': {
    topic: 'K67',
    description:
      'Operations that the specification only names get 404, without rate-limit headers, and are not counted.',
    seenIn: '@fastify/rate-limit, Flask-Limiter, @nestjs/throttler: unknown routes bypass the limiter',
    ...uncounted((request) => !isRequestFor(request.method, '/v1/categories', request)),
    ...onResponse(
      (_, request) => !isRequestFor(request.method, '/v1/categories', request),
      (response) => withoutRateLimit(asError(response, 404)),
    ),
  },
  'too-many-requests-without-body': {
    topic: 'K68',
    description: 'A 429 response has no body.',
    inconclusive: ['MEDIA-2'],
    because: 'A response without a body has no media type.',
    seenIn: 'Tyk and nginx modules that set only the status',
    ...editing(hasStatus(429), { text: '', without: ['Content-Type'] }),
  },
  'challenge-of-basic-besides': {
    topic: 'K69',
    description: 'A 401 response has a challenge of Basic before that of Bearer, in one header.',
    seenIn: 'gateways that accept passwords as well (RFC 9110 §11.6.1)',
    ...changingHeader(
      hasStatus(401),
      'WWW-Authenticate',
      (value) => `Basic realm="a, Digest b", charset="UTF-8", ${value}`,
    ),
  },
  'near-names-besides': {
    topic: 'K70',
    description:
      'Responses have X-RateLimit-Limit-Minute and X-RateLimit-Used in addition to the three headers.',
    seenIn: 'Kong; GitHub',
    ...editing(always, {
      lines: { 'X-RateLimit-Limit-Minute': '60', 'X-RateLimit-Used': '1' },
    }),
  },
  'headers-twice-the-same': {
    topic: 'K71',
    description: 'Responses have each of the three headers twice with the same value.',
    warnings: ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4'],
    seenIn: 'nested ulule/limiter: Header().Add in place of Set',
    ...onResponse(always, (response) =>
      withLines(response, ...response.headers.filter(([name]) => name.startsWith('X-RateLimit-'))),
    ),
  },
  'headers-joined-the-same': {
    topic: 'K71',
    description: 'Responses have each of the three headers once, with the value twice, separated by a comma.',
    warnings: ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4'],
    seenIn: 'gateways that join the lines of nested limiters (RFC 9110 §5.3), as Envoy does',
    ...onResponse(always, (response) =>
      RATE_LIMIT.reduce((joined, name) => mapHeader(joined, name, (value) => `${value},${value}`), response),
    ),
  },
};

function acceptsGzip(_: SentResponse, request: Request): boolean {
  return headerValues(request, 'Accept-Encoding').some((value) => /\bgzip\b/.test(value));
}

/** Responses whose JSON media type has another spelling. */
function withMediaType(type: string, seenIn: string): StatedVariant {
  const change: Seams = changingHeader(always, 'Content-Type', () => type);
  return { topic: 'K49', description: `Bodies are ${type}.`, seenIn, ...change };
}
