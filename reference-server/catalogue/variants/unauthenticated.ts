import type { Decision, Limiter } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import type { Request, Response } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';
import { aroundEach, limitedTo } from '../wrappers/counting.ts';
import { asError, remembering } from '../wrappers/responses.ts';
import type { StatedVariants } from './variant.ts';

const SMALL_LIMIT = 10;
const VERY_SMALL_LIMIT = 5;
const ANONYMOUS_LIMIT = 30;
const HOUR_MS = 3_600_000;

/** Conforming ways to count unauthenticated requests. */
export const unauthenticated: StatedVariants = {
  'anonymous-limit': {
    topic: 'K30',
    description: `A 401 response shows a limit of ${ANONYMOUS_LIMIT} for unauthenticated clients, and counts down from it.`,
    seenIn: 'GitHub, which gives callers without a token 60 an hour',
    ...forUnauthenticated((count) => count(ANONYMOUS_LIMIT)),
  },
  'anonymous-limit-of-zero': {
    topic: 'K30',
    description: 'A 401 response shows a limit of 0 for unauthenticated clients.',
    seenIn: 'services whose plan for unauthenticated clients is empty',
    ...forUnauthenticated((count) => ({ ...count(), limit: 0, remaining: 0 })),
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
  'limiter-before-authentication': {
    topic: 'K31',
    description:
      'The limiter reads the key from Authorization, with or without a scheme and in any case, before authentication: such a request gets 401 and is counted for the key.',
    seenIn: 'express-rate-limit with a keyGenerator that reads Authorization, in front of authentication',
    ...countingForTheKey(inAuthorization),
  },
  'limiter-reads-the-key-anywhere': {
    topic: 'K31',
    description:
      'The limiter takes the key from Basic, a query, a cookie or another header, too, before authentication: such a request gets 401 and is counted for the key.',
    seenIn: 'gateways whose plugin for keys reads several places (Kong’s key_names, Tyk’s auth_header_name)',
    ...countingForTheKey((request) => [inAuthorization(request), ...inOtherPlaces(request)].join(' ')),
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
};

/** Counts a request without a valid credential for the key of the demo that `textOf` finds in it. */
function countingForTheKey(textOf: (request: Request) => string): Seams {
  return {
    wrapIdentify(identify, { keys }) {
      const known = Object.values(keys).flat();
      return (request) => {
        const identity = identify(request);
        if (identity.caller.authenticated) return identity;
        const words = textOf(request).toLowerCase().split(' ');
        const key = known.find((one) => words.includes(one.toLowerCase()));
        if (key === undefined) return identity;
        const { caller } = identify({ ...request, headers: [['Authorization', `Bearer ${key}`]] });
        return { ...identity, caller: { ...caller, authenticated: false } };
      };
    },
  };
}

function inAuthorization(request: Request): string {
  return headerValues(request, 'Authorization').join(' ');
}

/** The user and password of Basic, the values of the query, and those of every other header and cookie. */
function inOtherPlaces(request: Request): readonly string[] {
  const basic = /^Basic (.*)$/i.exec(inAuthorization(request))?.[1] ?? '';
  const query = request.target.split('?')[1] ?? '';
  const cookies = headerValues(request, 'Cookie')
    .join(' ')
    .split(/[=; ]+/);
  return [
    ...Buffer.from(basic, 'base64').toString().split(':'),
    ...new URLSearchParams(query).values(),
    ...request.headers.map(([, value]) => value),
    ...cookies,
  ];
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
