import type { Request } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';
import type { SentResponse } from '../wrappers/responses.ts';
import {
  addingLines,
  always,
  answering,
  asError,
  hasStatus,
  onResponse,
  remembering,
  unauthorized,
  withJson,
  withLines,
  withoutHeaders,
  withoutRateLimit,
  withText,
  withType,
} from '../wrappers/responses.ts';
import type { StatedVariants } from './variant.ts';
import { incomplete } from './variant.ts';

const EXACT = /^\/v1\/(categories|store\/orders|pets\/[^/?;]+)(\?|$)/;

/** RFC 6750 §2.1: the characters of a bearer token. */
const TOKEN = /^bearer +[A-Za-z0-9\-._~+/]+=*$/i;

const isElsewhere = ({ target }: Request): boolean => !EXACT.test(target);
const isNamed = ({ target }: Request): boolean => /^\/v1\/(store\/orders|pets\/)/.test(target);

const bare = (response: SentResponse): SentResponse =>
  withoutHeaders(withoutRateLimit(response), 'WWW-Authenticate');

/** What a gateway answers by itself: a page, without the headers of the service. */
const page = (response: SentResponse, status: number): SentResponse => ({
  ...withText(withType(bare(response), 'text/html'), '<!doctype html><title>Pet store</title>'),
  status,
});

/** Conforming answers to requests without a valid key that the specification does not show. */
export const otherSpellings: StatedVariants = {
  'routed-before-the-key': {
    topic: 'K80',
    description:
      'A path or a method that does not exist returns 404 or 405 without a key, and without rate-limit headers.',
    seenIn: 'frameworks that bind authentication to routes (Fastify, NestJS, Flask, Go’s ServeMux)',
    ...onResponse(unauthorized(isElsewhere), (response) => bare(asError(response, 404))),
  },
  'spellings-redirected': {
    topic: 'K80',
    description: 'Another spelling of the path is redirected to /v1/categories, without a key.',
    seenIn: 'Go’s ServeMux, Flask and Django, which redirect to the path that they know',
    ...onResponse(unauthorized(isElsewhere), (response) =>
      withLines({ ...withText(bare(response), ''), status: 308 }, ['Location', '/v1/categories']),
    ),
  },
  'page-at-any-other-path': {
    topic: 'K80',
    description: 'Every other path returns 200 with a page for people, without a key.',
    seenIn: 'single-page applications on the same host, whose server answers every path with index.html',
    ...onResponse(unauthorized(isElsewhere), (response) => page(response, 200)),
  },
  'preflight-without-a-key': {
    topic: 'K80',
    description: 'OPTIONS returns 204 without a key, as a preflight of CORS.',
    seenIn: 'every CORS middleware: browsers send no credentials with a preflight',
    ...onResponse(
      unauthorized(({ method }) => method === 'OPTIONS'),
      (response) =>
        withLines({ ...withText(bare(response), ''), status: 204 }, [
          'Access-Control-Allow-Methods',
          'GET, POST',
        ]),
    ),
  },
  'odd-tokens-are-malformed': {
    topic: 'K80',
    description: 'A bearer token with characters that no token has returns 400.',
    seenIn: 'parsers of RFC 6750, whose error invalid_request is a 400 (§3.1)',
    ...onResponse(
      unauthorized((request) => {
        const [line = ''] = headerValues(request, 'Authorization');
        return /^bearer +\S/i.test(line) && !TOKEN.test(line);
      }),
      (response) => asError(response, 400),
    ),
  },
  'address-banned-for-missing-keys': {
    topic: 'K31',
    description:
      'An address that has sent fifty requests without a valid key gets no more responses to them.',
    expected: incomplete('the address was banned before every request without a valid key was answered', [
      'AUTH-1',
      'AUTH-2',
      'AUTH-3',
      'AUTH-4',
    ]),
    seenIn: 'fail2ban, and firewalls that drop the packets of a suspicious address',
    ...remembering(hasStatus(401), () => {
      let unauthorized = 0;
      return (response) => {
        unauthorized += 1;
        return unauthorized > 50 ? { kind: 'dropped' } : response;
      };
    }),
  },
  'named-operations-answered': {
    topic: 'K81',
    description: 'The named operations return 200 with JSON.',
    seenIn: 'any complete pet store',
    ...answering(({ status }, request) => status === 501 && isNamed(request), '[]'),
  },
  'named-operations-unknown-to-the-gateway': {
    topic: 'K81',
    description:
      'The named operations do not exist. A gateway answers 403 to them without a key, and 404 with one, both without rate-limit headers.',
    seenIn: 'Amazon API Gateway, which answers 403 where it has no route and no key',
    ...onResponse(
      (_, request) => isNamed(request),
      (response) => page(response, response.status === 401 ? 403 : 404),
    ),
  },
  'cookies-without-effect': {
    topic: 'K83',
    description:
      'Every response sets the cookie of a load balancer and an empty session, neither of which authenticates a request.',
    seenIn: 'AWSALB and other sticky load balancers; PHP and Rack with sessions that the API does not read',
    ...addingLines(
      always,
      ['Set-Cookie', 'node=2; Path=/'],
      ['Set-Cookie', 'session=5f2b1c; Path=/; HttpOnly'],
    ),
  },
  'codes-as-status-phrases': {
    topic: 'K82',
    description: 'The code of every Error is the phrase of its status, such as "Bad Request".',
    seenIn: 'Spring Boot’s field `error`, and services that derive the code from the status',
    ...onResponse(
      ({ status }) => status === 400 || status === 401,
      (response) =>
        withJson(response, (error) => ({
          ...error,
          code: response.status === 400 ? 'Bad Request' : 'Unauthorized',
        })),
    ),
  },
};
