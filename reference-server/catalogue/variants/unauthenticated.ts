import { STATUS_CODES } from 'node:http';
import type { Decision, Limiter } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import type { Request, Response } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';
import { aroundEach, limitedTo } from '../wrappers/counting.ts';
import {
  always,
  asError,
  edited,
  editing,
  hasStatus,
  inTurn,
  isRejected,
  mapHeader,
  onResponse,
  RATE_LIMIT,
  remembering,
  unauthorized,
  withJson,
  withLines,
  withoutHeaders,
} from '../wrappers/responses.ts';
import type { StatedVariants } from './variant.ts';

const SMALL_LIMIT = 10;
const VERY_SMALL_LIMIT = 5;
const HOUR_MS = 3_600_000;

/** Counts a request without a valid credential for the key of the demo that stands anywhere in its head. */
const countingForTheKey: Seams = {
  wrapIdentify(identify, { keys }) {
    const known = Object.values(keys).flat();
    return (request) => {
      const identity = identify(request);
      if (identity.caller.authenticated) return identity;
      const words = wordsOf(request);
      const key = known.find((one) => words.includes(one.toLowerCase()));
      if (key === undefined) return identity;
      const { caller } = identify({ ...request, headers: [['Authorization', `Bearer ${key}`]] });
      return { ...identity, caller: { ...caller, authenticated: false } };
    };
  },
};

/** The words of the target and of every header, in lower case; those of Basic decoded. */
function wordsOf({ target, headers }: Request): readonly string[] {
  const values = headers.map(([, value]) =>
    value.replace(/^Basic (.*)$/i, (_, encoded) => Buffer.from(encoded, 'base64').toString()),
  );
  return [target, ...values]
    .join(' ')
    .toLowerCase()
    .split(/[^a-z0-9._~+-]+/);
}

/** A leaky bucket without burst for unauthenticated requests of each address. */
function onePerInterval(limiter: Limiter): Limiter {
  let due = 0;
  return (caller, request, now) => {
    const quota = caller.quotas[0];
    if (caller.authenticated || quota === undefined) return limiter(caller, request, now);
    const interval = quota.windowMs / quota.limit;
    const allowed = now >= due;
    if (allowed) due = now + interval;
    return { allowed, limit: quota.limit, remaining: 0, resetAt: due, retryAt: due };
  };
}

/** Decides about unauthenticated requests; `count` counts one, with another limit where one is given. */
function forUnauthenticated(decide: (count: (limit?: number) => Decision) => Decision): Seams {
  return {
    wrapLimiter: (limiter) => (caller, request, now) =>
      caller.authenticated
        ? limiter(caller, request, now)
        : decide((limit) => limiter(limit === undefined ? caller : limitedTo(limit, caller), request, now)),
  };
}

/** Whether a response shows the limit for unauthenticated requests. */
function hasSmallLimit(response: Response): boolean {
  return headerValues(response, 'X-RateLimit-Limit')[0] === String(SMALL_LIMIT);
}

const EXACT = /^\/v1\/(categories|store\/orders|pets\/[^/?;]+)(\?|$)/;

/** RFC 6750 §2.1: the characters of a bearer token. */
const TOKEN = /^bearer +[A-Za-z0-9\-._~+/]+=*$/i;

const isElsewhere = ({ target }: Request): boolean => !EXACT.test(target);
const isNamed = ({ target }: Request): boolean => /^\/v1\/(store\/orders|pets\/)/.test(target);

/** The headers of the service that a gateway does not send. */
const OF_THE_SERVICE = [...RATE_LIMIT, 'WWW-Authenticate'];

/** What a gateway answers by itself. */
const PAGE = {
  without: OF_THE_SERVICE,
  type: 'text/html',
  text: '<!doctype html><title>Pet store</title>',
} as const;

/** Conforming ways to count unauthenticated requests. */
export const unauthenticated: StatedVariants = {
  'anonymous-limit-of-zero': {
    topic: 'K30',
    description: 'A 401 response shows a limit of 0 for unauthenticated clients.',
    seenIn: 'services whose plan for unauthenticated clients is empty',
    ...forUnauthenticated((count) => ({ ...count(), limit: 0, remaining: 0 })),
  },
  'anonymous-limit-of-early-rejections': {
    topic: 'K30',
    description:
      'A creation in another media type gets 415 before authentication, with the full quota of an unauthenticated client.',
    seenIn:
      'a limiter by address and a parser of bodies before authentication, and behind it the limit of the key',
    ...onResponse(isRejected('unsupported_content_type'), (response) => {
      const [limit = ''] = headerValues(response, 'X-RateLimit-Limit');
      return mapHeader(asError(response, 415), 'X-RateLimit-Remaining', () => limit);
    }),
  },
  'unauthenticated-limited-by-address': {
    topic: 'K31',
    description: `An address may send ${SMALL_LIMIT} unauthenticated requests, and then gets 429.`,
    seenIn: 'express-rate-limit in front of authentication; fail2ban',
    ...forUnauthenticated((count) => count(SMALL_LIMIT)),
  },
  'unauthenticated-one-by-one': {
    topic: 'K31',
    description:
      'Unauthenticated requests of an address must be spaced at the rate of the limit; others get 429.',
    seenIn: 'nginx limit_req without burst for $binary_remote_addr',
    ...aroundEach(onePerInterval),
  },
  'unauthenticated-limited-to-five': {
    topic: 'K31',
    description: `An address may send ${VERY_SMALL_LIMIT} unauthenticated requests, and then gets 429.`,
    seenIn:
      'limiters against guessing, as the login examples of express-rate-limit and rate-limiter-flexible have them',
    ...forUnauthenticated((count) => count(VERY_SMALL_LIMIT)),
  },
  'unauthenticated-barred-after-429': {
    topic: 'K31',
    description: `An address may send ${SMALL_LIMIT} unauthenticated requests, and then gets 429; one that sends on within the announced wait gets 403 for an hour.`,
    seenIn: 'fail2ban and firewalls that read the log of a service',
    ...forUnauthenticated((count) => count(SMALL_LIMIT)),
    ...remembering(hasSmallLimit, ({ now }) => {
      let [waitsUntil, barredUntil] = [0, 0];
      return (response) => {
        if (now() < waitsUntil) barredUntil = now() + HOUR_MS;
        if (response.status === 429)
          waitsUntil = now() + 1000 * Number(headerValues(response, 'Retry-After')[0]);
        return now() < barredUntil ? asError(response, 403) : response;
      };
    }),
  },
  'limiter-reads-the-key-anywhere': {
    topic: 'K31',
    description:
      'The limiter takes the key from Basic, a query, a cookie or another header, too, before authentication: such a request gets 401 and is counted for the key.',
    seenIn: 'gateways whose plugin for keys reads several places (Kong’s key_names, Tyk’s auth_header_name)',
    ...countingForTheKey,
  },
  'unauthenticated-not-counted': {
    topic: 'K32',
    description:
      'Unauthenticated requests are not counted: a 401 response always shows the same limit and the full quota.',
    seenIn: 'limiters behind authentication, with headers from another middleware',
    ...forUnauthenticated((count) => {
      const decision = count();
      return { ...decision, remaining: decision.limit };
    }),
  },

  // Conforming answers to requests without a valid key that the specification does not show.
  'routed-before-the-key': {
    topic: 'K80',
    description:
      'A path or a method that does not exist returns 404 or 405 without a key, and without rate-limit headers.',
    seenIn: 'frameworks that bind authentication to routes (Fastify, NestJS, Flask, Go’s ServeMux)',
    ...onResponse(unauthorized(isElsewhere), (response) =>
      withoutHeaders(asError(response, 404), ...RATE_LIMIT),
    ),
  },
  'spellings-redirected': {
    topic: 'K80',
    description: 'Another spelling of the path is redirected to /v1/categories, without a key.',
    seenIn: 'Go’s ServeMux, Flask and Django, which redirect to the path that they know',
    ...editing(unauthorized(isElsewhere), {
      status: 308,
      text: '',
      without: OF_THE_SERVICE,
      lines: { Location: '/v1/categories' },
    }),
  },
  'page-at-any-other-path': {
    topic: 'K80',
    description: 'Every other path returns 200 with a page for people, without a key.',
    seenIn: 'single-page applications on the same host, whose server answers every path with index.html',
    ...editing(unauthorized(isElsewhere), { ...PAGE, status: 200 }),
  },
  'preflight-without-a-key': {
    topic: 'K80',
    description: 'OPTIONS returns 204 without a key, as a preflight of CORS.',
    seenIn: 'every CORS middleware: browsers send no credentials with a preflight',
    ...editing(
      unauthorized(({ method }) => method === 'OPTIONS'),
      {
        status: 204,
        text: '',
        without: OF_THE_SERVICE,
        lines: { 'Access-Control-Allow-Methods': 'GET, POST' },
      },
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
  'monitors-answered-by-the-gateway': {
    topic: 'K90',
    description: 'A monitor gets 200 with a page from the gateway, without a key.',
    seenIn: 'health checks of load balancers, which Envoy and many middlewares answer at any path',
    ...editing(
      unauthorized((request) => /kube-probe/.test(headerValues(request, 'User-Agent').join())),
      { ...PAGE, status: 200 },
    ),
  },
  'header-of-the-gateway-rejected': {
    topic: 'K90',
    description: 'The gateway names itself in CF-RAY, and returns 403 to CF-Connecting-IP.',
    seenIn: 'Cloudflare, whose error 1000 is for requests that already have its header',
    ...onResponse(always, (response, request) => {
      const isRejected = headerValues(request, 'CF-Connecting-IP').length > 0;
      return withLines(isRejected ? edited(response, { ...PAGE, status: 403 }) : response, ['CF-RAY', '1']);
    }),
  },
  'address-banned-for-missing-keys': {
    topic: 'K31',
    description:
      'An address that has sent fifty requests without a valid key gets no more responses to them.',
    inconclusive: ['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4'],
    because: 'the address was banned before every request without a valid key was answered',
    seenIn: 'fail2ban, and firewalls that drop the packets of a suspicious address',
    ...inTurn(hasStatus(401), (response, turn) => (turn > 50 ? { kind: 'dropped' } : response)),
  },
  'named-operations-answered': {
    topic: 'K81',
    description: 'The named operations return 200 with JSON.',
    seenIn: 'any complete pet store',
    ...editing(({ status }, request) => status === 501 && isNamed(request), { status: 200, text: '[]' }),
  },
  'named-operations-unknown-to-the-gateway': {
    topic: 'K81',
    description:
      'The named operations do not exist. A gateway answers 403 to them, with a key or without, and without rate-limit headers.',
    seenIn: 'Amazon API Gateway, which answers 403 where it has no route',
    ...onResponse(
      (_, request) => isNamed(request),
      (response) => edited(response, { ...PAGE, status: 403 }),
    ),
  },
  'cookies-without-effect': {
    topic: 'K83',
    description:
      'Every response sets the cookie of a load balancer and an empty session, neither of which authenticates a request.',
    seenIn: 'AWSALB and other sticky load balancers; PHP and Rack with sessions that the API does not read',
    ...onResponse(always, (response) =>
      withLines(
        response,
        ['Set-Cookie', 'node=2; Path=/'],
        ['Set-Cookie', 'session=5f2b1c; Path=/; HttpOnly'],
      ),
    ),
  },
  'codes-as-status-phrases': {
    topic: 'K82',
    description: 'The code of every Error is the phrase of its status, such as "Bad Request".',
    seenIn: 'Spring Boot’s field `error`, and services that derive the code from the status',
    ...onResponse(hasStatus(400, 401), (response) =>
      withJson(response, (error) => ({ ...error, code: STATUS_CODES[response.status] })),
    ),
  },
};
