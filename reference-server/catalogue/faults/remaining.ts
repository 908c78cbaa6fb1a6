import type { Decision } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import type { Request } from '../../service/message.ts';
import { countingMinute, onDecision, uncounted } from '../wrappers/counting.ts';
import type { Applies } from '../wrappers/responses.ts';
import { changingHeader, hasStatus, isList } from '../wrappers/responses.ts';
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
    ...countingAgain(() => true),
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
    ...shownBefore(({ method }) => method === 'POST'),
  },
  'remaining-two-less-on-400': {
    description: 'The Remaining of a 400 response is two too low.',
    breaks: ['RATE-7'],
    seenIn: 'error pages that are counted once more and refunded later',
    ...showing(hasStatus(400), (remaining) => remaining - 2),
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
