import type { Decision } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import type { Caller } from '../../service/callers.ts';
import type { Request } from '../../service/message.ts';
import { aroundEach, countingMinute, onDecision, uncounted } from '../wrappers/counting.ts';
import type { Applies } from '../wrappers/responses.ts';
import { changingHeader, hasStatus, isCreated, isList } from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

/** Counts some requests one or more times again; a request with fewer requests left than that gets 429. */
function countingAgain(applies: (method: string) => boolean, times = 1): Seams {
  return {
    wrapLimiter: (limiter) => (caller, request, now) => {
      let shown = limiter(caller, request, now);
      if (!caller.authenticated || !applies(request.method)) return shown;
      for (let time = 0; shown.allowed && time < times; time += 1) {
        const { resetAt, ...next } = limiter(caller, request, now);
        shown = { ...next, resetAt, retryAt: next.allowed ? now : resetAt };
      }
      return shown;
    },
  };
}

/** Starts a new counter for the caller at each of some requests. */
function restartingCounter(when: (request: Request) => boolean): Seams {
  return countingMinute((limiter) => {
    let generation = 0;
    return (caller, request, now) => {
      if (when(request)) generation += 1;
      return limiter({ ...caller, id: `${caller.id} ${generation}` }, request, now);
    };
  });
}

/** Faults of the chapter "Rate-limit headers": the value of Remaining. */
export const remaining: StatedFaults = {
  'remaining-below-zero': {
    description: 'The Remaining of a 429 response is −1.',
    breaks: ['RATE-6'],
    seenIn: 'rack-ratelimit#3, flask-limiter#56, koajs/ratelimit#55',
    ...changingHeader(hasStatus(429), 'X-RateLimit-Remaining', () => '-1'),
  },
  'remaining-with-decimals': {
    description: 'The Remaining of a 201 response has a fraction.',
    breaks: ['RATE-6'],
    seenIn: 'token buckets printed without rounding',
    ...changingHeader(isCreated, 'X-RateLimit-Remaining', (remaining) => `${remaining}.5`),
  },
  'remaining-never-falls': {
    description: 'Remaining is the same in every response until the limit is reached.',
    breaks: ['RATE-7', 'RATE-8'],
    seenIn: 'headers read from another store than the one that counts',
    ...onDecision((decision) => ({ ...decision, remaining: decision.allowed ? decision.limit - 1 : 0 })),
  },
  'remaining-counts-up': {
    description: 'Remaining is the number of requests used, not the number left.',
    breaks: ['RATE-7', 'RATE-8'],
    seenIn: 'the counter itself written into the header',
    ...onDecision((decision) => ({ ...decision, remaining: decision.limit - decision.remaining })),
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
    ...countingAgain(() => true),
  },
  'creations-count-twice': {
    description: 'Every creation is counted twice.',
    breaks: ['RATE-7', 'LIMIT-2'],
    seenIn: 'weights for expensive operations that the plan does not mention',
    ...countingAgain((method) => method === 'POST'),
  },
  'unauthenticated-counted-for-a-key': {
    description: 'Unauthenticated requests are counted for the key that was used last.',
    breaks: ['RATE-7', 'LIMIT-2'],
    seenIn: 'limiters before authentication that identify a caller by address',
    wrapLimiter(limiter) {
      let last: Caller | undefined;
      return (caller, request, now) => {
        if (caller.authenticated) last = caller;
        else if (last !== undefined) limiter(last, request, now);
        return limiter(caller, request, now);
      };
    },
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
  'remaining-with-unit': {
    description: 'The Remaining of a 400 response has a unit.',
    breaks: ['RATE-6'],
    seenIn: 'values written for people',
    ...changingHeader(hasStatus(400), 'X-RateLimit-Remaining', (remaining) => `${remaining} requests`),
  },
  'creations-cost-five': {
    description: 'Every creation is counted five times.',
    breaks: ['RATE-7', 'RATE-8', 'LIMIT-2'],
    seenIn: 'weights for expensive operations that the plan does not mention (GitHub’s GraphQL points)',
    ...countingAgain((method) => method === 'POST', 4),
  },
  'creations-reset-the-counter': {
    description: 'Every creation restores the full quota.',
    breaks: ['RATE-7', 'LIMIT-1'],
    seenIn: 'ulule/limiter#230; caches, including the counters, that are flushed on every write',
    ...restartingCounter(({ method }) => method === 'POST'),
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
  'remaining-zero-after-recovery': {
    description: 'After a 429, Remaining stays 0 although requests are accepted again.',
    breaksWith: { thorough: ['RATE-7'] },
    undecidable: {
      requirement: 'RATE-7',
      because:
        'A sliding log gives back one request at a time, so a conforming service, too, accepts the first request after Retry-After and then has a Remaining of 0. The next window shows the difference, with --thorough.',
    },
    seenIn: 'a flag set by the first 429 that is never cleared',
    ...aroundEach((limiter) => {
      let rateLimited = false;
      return (caller, request, now) => {
        const decision = limiter(caller, request, now);
        rateLimited ||= !decision.allowed;
        return rateLimited ? { ...decision, remaining: 0 } : decision;
      };
    }),
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
  'remaining-before-counting-on-lists': {
    description: 'A GET response shows Remaining before the request was counted; all others show it after.',
    breaks: ['RATE-7', 'RATE-8'],
    seenIn: 'headers written by two middlewares, one before the counter and one after it',
    ...shownBefore(({ method }) => method === 'GET'),
  },
  'remaining-before-counting-on-creations': {
    description: 'A POST response shows Remaining before the request was counted; all others show it after.',
    breaks: ['RATE-7'],
    seenIn: 'headers written by two middlewares, one before the counter and one after it',
    ...shownBefore(({ method }) => method === 'POST'),
  },
  'remaining-zero-on-400': {
    description: 'The Remaining of a 400 response is 0.',
    breaks: ['RATE-7'],
    seenIn: 'error handlers that write the headers themselves',
    ...showing(hasStatus(400), () => 0),
  },
  'remaining-two-less-on-400': {
    description: 'The Remaining of a 400 response is two too low.',
    breaks: ['RATE-7'],
    seenIn: 'error pages that are counted once more and refunded later',
    ...showing(hasStatus(400), (remaining) => remaining - 2),
  },
  'remaining-one-less-on-201': {
    description: 'The Remaining of a 201 response is one too low.',
    breaks: ['RATE-7'],
    seenIn: 'responses rendered after the next request was reserved',
    ...showing(isCreated, (remaining) => remaining - 1),
  },
  'every-fifth-request-counts-twice': {
    description: 'Every fifth request is counted twice.',
    breaks: ['RATE-7', 'LIMIT-2'],
    seenIn: 'gateways that send a share of the traffic twice, to compare two versions',
    wrapLimiter(limiter) {
      let requests = 0;
      return (caller, request, now) => {
        const decision = limiter(caller, request, now);
        if (!caller.authenticated) return decision;
        requests += 1;
        return decision.allowed && requests % 5 === 0 ? limiter(caller, request, now) : decision;
      };
    },
  },
};

function shownBefore(applies: (request: Request) => boolean): Seams {
  const before = (decision: Decision): Decision =>
    decision.allowed ? { ...decision, remaining: decision.remaining + 1 } : decision;
  return {
    wrapLimiter: (limiter) => (caller, request, now) => {
      const decision = limiter(caller, request, now);
      return caller.authenticated && applies(request) ? before(decision) : decision;
    },
  };
}

function showing(applies: Applies, change: (remaining: number) => number): Seams {
  return changingHeader(applies, 'X-RateLimit-Remaining', (text) =>
    String(Math.max(0, change(Number(text)))),
  );
}
