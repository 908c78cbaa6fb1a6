import { limitsOf } from '../../../spec/plans.ts';
import { createLimiter } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import {
  aroundEach,
  countingMinute,
  minuteOf,
  onDecision,
  uncounted,
  withClockAhead,
  withQuota,
} from '../wrappers/counting.ts';
import {
  always,
  changingHeader,
  editing,
  hasStatus,
  inTurn,
  isCreated,
  isList,
  isOrders,
  mapHeader,
  onResponse,
  withNames,
  withoutHeaders,
  withoutRateLimit,
  withText,
} from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

/** Counts every so many of the requests with a key once more. */
function countingAgain(every: number): Seams {
  return {
    wrapLimiter(limiter) {
      let requests = 0;
      return (caller, request, now) => {
        const decision = limiter(caller, request, now);
        if (!caller.authenticated) return decision;
        requests += 1;
        return decision.allowed && requests % every === 0 ? limiter(caller, request, now) : decision;
      };
    },
  };
}

const THREE_HOURS = 10_800;

/** Faults of the chapter "Rate-limit headers": which responses have them, and their values. */
export const rateLimitHeaders: StatedFaults = {
  'rejection-without-headers': {
    description: 'A 400 response has no rate-limit headers.',
    breaks: ['RATE-2'],
    seenIn: 'hapi-rate-limit#33',
    ...onResponse(hasStatus(400), withoutRateLimit),
  },
  'unauthorized-without-headers': {
    description: 'A 401 response has no rate-limit headers.',
    breaks: ['RATE-3'],
    seenIn: 'acquisition#208, hapi-rate-limit#33; every limiter that runs after authentication',
    ...onResponse(hasStatus(401), withoutRateLimit),
  },
  'headers-only-on-429': {
    description: 'Only 429 responses have the rate-limit headers.',
    breaks: ['RATE-1', 'RATE-2', 'RATE-3'],
    seenIn: 'handlers that set them only when the limit is exceeded',
    ...onResponse((response) => response.status !== 429, withoutRateLimit),
  },
  'headers-under-near-names': {
    description: 'The headers are named X-Rate-Limit-Limit, X-Rate-Limit-Remaining and X-Rate-Limit-Reset.',
    breaks: ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4'],
    seenIn: 'Twitter’s first interface, and services that follow it',
    ...onResponse(always, (response) =>
      withNames(response, (name) => name.replace(/^X-RateLimit/, 'X-Rate-Limit')),
    ),
  },
  'headers-absent': {
    description: 'No response has rate-limit headers.',
    breaks: ['RATE-1', 'RATE-2', 'RATE-3', 'RATE-4'],
    seenIn: 'the defaults of nginx, Traefik, rack-attack and django-ratelimit',
    ...onResponse(always, withoutRateLimit),
  },
  'headers-missing-now-and-then': {
    description: 'Every seventh response has no rate-limit headers.',
    breaks: ['RATE-1', 'RATE-2', 'RATE-3'],
    seenIn: 'one of several nodes with an older release',
    ...inTurn(always, (response, turn) => (turn % 7 === 0 ? withoutRateLimit(response) : response)),
  },
  'orders-without-headers': {
    description: 'GET /store/orders returns 200 without rate-limit headers.',
    breaks: ['RATE-1'],
    seenIn: 'slowapi and tollbooth, whose limits are bound to a path',
    ...onResponse(
      ({ status }, request) => status !== 401 && isOrders(request),
      (response) => withoutRateLimit({ ...withText(response, '[]'), status: 200 }),
    ),
  },
  'created-without-remaining': {
    description: 'A 201 response has no X-RateLimit-Remaining.',
    breaks: ['RATE-1'],
    seenIn: 'headers written before the counter is read',
    ...editing(isCreated, { without: ['X-RateLimit-Remaining'] }),
  },
  'list-without-reset': {
    description: 'A list has no X-RateLimit-Reset.',
    breaks: ['RATE-1'],
    seenIn: 'limitador#473',
    ...editing(isList, { without: ['X-RateLimit-Reset'] }),
  },
  'two-limits-on-created': {
    description: 'A 201 response has two X-RateLimit-Limit lines with different values.',
    breaks: ['RATE-1'],
    seenIn: 'slowapi#33, sebak#560; two stacked limiters that add instead of set',
    ...editing(isCreated, { lines: { 'X-RateLimit-Limit': '1000000' } }),
  },
  'limit-with-policy': {
    description: 'The Limit of a 201 response includes a policy: "60, 60;w=60".',
    breaks: ['RATE-5'],
    seenIn: 'Envoy’s rate-limit filter',
    ...changingHeader(isCreated, 'X-RateLimit-Limit', (limit) => `${limit}, ${limit};w=60`),
  },
  'limit-of-the-day-shown': {
    description: 'Limit is that of the day, and Remaining and Reset are those of the minute.',
    warnings: ['RATE-5'],
    seenIn: 'two limiters, of which the later one replaces a part of the headers',
    ...changingHeader(always, 'X-RateLimit-Limit', (limit) => (limit === '60' ? '1000' : limit)),
  },
  'free-limit-for-everybody': {
    description: 'Every caller has the limits of the Free plan.',
    breaks: ['RATE-5'],
    seenIn: 'limits keyed by a plan that the gateway does not pass on',
    ...withQuota('minute', (quota, { plans }) => ({ ...quota, limit: limitsOf(plans, 'free').perMinute })),
  },
  'limit-of-another-plan': {
    description: 'The Limit is five times the plan’s, while the plan’s limit is enforced.',
    breaks: ['RATE-5'],
    seenIn: 'headers written from a default configuration',
    ...onDecision((decision) => ({ ...decision, limit: 5 * decision.limit })),
  },

  // The value of Remaining.
  'remaining-below-zero': {
    description: 'The Remaining of a 429 response is −1.',
    breaks: ['RATE-6'],
    seenIn: 'rack-ratelimit#3, flask-limiter#56, koajs/ratelimit#55',
    ...changingHeader(hasStatus(429), 'X-RateLimit-Remaining', () => '-1'),
  },
  'remaining-never-falls': {
    description: 'Remaining is the same in every response until the limit is reached.',
    breaks: ['RATE-7', 'RATE-8'],
    seenIn: 'headers read from another store than the one that counts',
    ...onDecision((decision) => ({ ...decision, remaining: decision.allowed ? decision.limit - 1 : 0 })),
  },
  'creations-not-counted': {
    description: 'Creations are not counted.',
    breaks: ['RATE-7'],
    seenIn: 'limiters bound to GET routes',
    ...uncounted(({ method }) => method === 'POST'),
  },
  'lists-not-counted': {
    description: 'Lists are not counted.',
    breaks: ['RATE-7', 'LIMIT-1'],
    seenIn: 'limiters bound to writing routes',
    ...uncounted(({ method }) => method === 'GET'),
  },
  'every-request-counts-twice': {
    description: 'Every request is counted twice.',
    breaks: ['RATE-7', 'LIMIT-2'],
    seenIn: 'nestjs/throttler#1365: the same middleware bound twice',
    ...countingAgain(1),
  },
  'remaining-one-too-high': {
    description: 'Remaining is the value before the request was counted.',
    breaks: ['RATE-8'],
    seenIn: 'rack-ratelimit#3, tenso#17',
    ...onDecision((decision) => ({
      ...decision,
      remaining: decision.remaining + (decision.allowed ? 1 : 0),
    })),
  },
  'remaining-above-limit': {
    description: 'The Remaining of a list is greater than the Limit.',
    breaks: ['RATE-6'],
    seenIn: 'the day’s Remaining with the minute’s Limit',
    ...changingHeader(isList, 'X-RateLimit-Remaining', (remaining) => String(1000 + Number(remaining))),
  },
  'creations-reset-the-counter': {
    description: 'Every creation restores the full quota.',
    breaks: ['RATE-7', 'LIMIT-1'],
    seenIn: 'ulule/limiter#230; caches, including the counters, that are flushed on every write',
    ...countingMinute((limiter) => {
      let creations = 0;
      return (caller, request, now) => {
        if (request.method === 'POST') creations += 1;
        return limiter({ ...caller, id: `${caller.id} ${creations}` }, request, now);
      };
    }),
  },
  'every-third-request-not-counted': {
    description: 'Every third request is accepted without being counted.',
    breaks: ['RATE-7', 'LIMIT-1'],
    seenIn: 'limiters that accept a request when their store does not respond in time',
    wrapLimiter(limiter, context) {
      let requests = 0;
      const limiterWithGaps = uncounted(() => {
        requests += 1;
        return requests % 3 === 0;
      });
      return limiterWithGaps.wrapLimiter(limiter, context);
    },
  },
  'remaining-of-the-last-caller': {
    description: 'Remaining is the value of the previous caller.',
    breaks: ['RATE-7', 'RATE-8'],
    seenIn: 'a module variable in place of a request variable',
    wrapLimiter(limiter) {
      let last: number | undefined;
      return (caller, request, now) => {
        const decision = limiter(caller, request, now);
        const remaining = Math.min(last ?? decision.remaining, decision.limit);
        last = decision.remaining;
        return { ...decision, remaining };
      };
    },
  },

  // Faults of the chapter "Rate-limit headers": Remaining is wrong in one kind of response only.
  'remaining-before-counting-on-creations': {
    description: 'A POST response shows Remaining before the request was counted; all others show it after.',
    breaks: ['RATE-7'],
    seenIn: 'headers written by two middlewares, one before the counter and one after it',
    ...onDecision((decision, _, { method }) =>
      method === 'POST' && decision.allowed ? { ...decision, remaining: decision.remaining + 1 } : decision,
    ),
  },
  'remaining-two-less-on-400': {
    description: 'The Remaining of a 400 response is two too low.',
    breaks: ['RATE-7'],
    seenIn: 'error pages that are counted once more and refunded later',
    ...changingHeader(hasStatus(400), 'X-RateLimit-Remaining', (remaining) =>
      String(Math.max(0, Number(remaining) - 2)),
    ),
  },
  'every-fifth-request-counts-twice': {
    description: 'Every fifth request is counted twice.',
    breaks: ['RATE-7', 'LIMIT-2'],
    seenIn: 'gateways that send a share of the traffic twice, to compare two versions',
    ...countingAgain(5),
  },

  // The value of Reset.
  'reset-in-seconds-left': {
    description: 'Reset is the number of seconds until the reset, not a timestamp.',
    breaks: ['RATE-9'],
    seenIn: '@fastify/rate-limit, @nestjs/throttler, Envoy, Kong, APISIX',
    ...resetting((reset, now) => Math.max(0, reset - now)),
  },
  'reset-in-milliseconds': {
    description: 'Reset is in milliseconds.',
    breaks: ['RATE-9'],
    seenIn: 'RocketChat/docs-old#1358',
    ...resetting((reset) => reset * 1000),
  },
  'reset-hours-away-undated': {
    description: 'Reset is three hours too late, and no response has a Date.',
    warnings: ['RATE-9', 'HTTP-2'],
    seenIn: 'local time used as UTC, behind Puma 5.6, which writes no Date',
    ...onResponse(always, (response) =>
      withoutHeaders(
        mapHeader(response, 'X-RateLimit-Reset', (at) => String(Number(at) + THREE_HOURS)),
        'Date',
      ),
    ),
  },
  'date-in-local-time': {
    description: 'Date is three hours too late, and Reset is right.',
    warnings: ['RATE-9'],
    seenIn: 'a Date written by hand from the local time, with "GMT" behind it',
    ...changingHeader(always, 'Date', (at) => new Date(Date.parse(at) + THREE_HOURS * 1000).toUTCString()),
  },
  'reset-in-the-past': {
    description: 'Reset is a minute before the response.',
    breaks: ['RATE-9'],
    seenIn: 'the start of the window in place of its end',
    ...resetting((_, now) => now - 60),
  },
  'reset-zero-on-429': {
    description: 'The Reset of a 429 response is 0.',
    breaks: ['RATE-9'],
    seenIn: 'apisix#9964, envoyproxy/ratelimit#165',
    ...changingHeader(hasStatus(429), 'X-RateLimit-Reset', () => '0'),
  },
  'reset-a-window-too-far': {
    description: 'Reset is the end of the next window.',
    breaks: ['RATE-9'],
    seenIn: 'limiters that keep two windows and show the expiry of the record',
    ...resetting((at, _, window) => at + window),
  },
  'reset-a-window-away-on-429': {
    description:
      'The Reset of a 429 response is a window away, while Retry-After names the end of the window.',
    warnings: ['RATE-9'],
    seenIn: 'error handlers that compute now + window by themselves',
    // Windows of the clock; the first request of a caller comes when two thirds of one have passed.
    ...countingMinute(() => {
      let ahead: number | undefined;
      const windows = withClockAhead(createLimiter('fixed-window', [], 0), (caller, now) => {
        const { windowMs } = minuteOf(caller);
        ahead ??= Math.round((2 / 3) * windowMs) - (now % windowMs);
        return ahead;
      });
      return (caller, request, now) => {
        const decision = windows(caller, request, now);
        return decision.allowed ? decision : { ...decision, resetAt: now + minuteOf(caller).windowMs };
      };
    }),
  },
  'reset-always-now': {
    description: 'Reset is always the current time.',
    violates: 'RATE-9',
    undecidable:
      'A bucket that gives back a request every second and rounds down announces the current second, too, and the clocks of a service may differ by two seconds. No single Reset is wrong, and the specification does not say that more than one request is available then.',
    seenIn: 'cnpm/koa-limit#3',
    ...resetting((_, now) => now),
  },
  'reset-ten-seconds-early': {
    description: 'Reset is ten seconds before the end of the window, and Retry-After is right.',
    warnings: ['RATE-9'],
    seenIn: 'gateways whose store has a clock of its own',
    ...resetting((reset, now) => Math.max(now, reset - 10)),
  },
  'reset-of-the-first-window': {
    description: 'Reset remains the end of the first window of the caller.',
    breaksWith: { thorough: ['RATE-9'] },
    undecidable:
      'It is correct in the first window, and first wrong right after Retry-After has passed, by less than two seconds. Rounding and the clocks of a conforming service may differ by as much. The next window shows it, with --thorough.',
    seenIn: 'node-ratelimiter#36',
    ...aroundEach((limiter) => {
      let resetAt: number | undefined;
      return (caller, request, now) => {
        const decision = limiter(caller, request, now);
        resetAt ??= decision.resetAt;
        return { ...decision, resetAt };
      };
    }),
  },
};

/** Changes the value of Reset; both times in Unix seconds, and the length of the window in seconds. */
function resetting(write: (reset: number, now: number, window: number) => number | string): Seams {
  return changingHeader(always, 'X-RateLimit-Reset', (reset, { now, plans }) =>
    String(write(Number(reset), Math.floor(now() / 1000), plans.minuteSeconds)),
  );
}
