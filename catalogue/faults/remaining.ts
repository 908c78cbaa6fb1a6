import type { Seams } from '../../reference-server/seams.ts';
import type { Caller } from '../../reference-server/service/callers.ts';
import type { Request } from '../../reference-server/service/message.ts';
import { countingMinute, onDecision, uncounted } from '../wrappers/counting.ts';
import { hasStatus, isCreated, isList } from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';
import { headerFault } from './fault.ts';

/** Faults of the chapter "Rate-limit headers": what Remaining says. */
export const remaining: readonly Fault[] = [
  headerFault('remaining-below-zero', 'A 429 says that −1 requests are left.', 'X-RateLimit-Remaining', {
    applies: hasStatus(429),
    change: () => '-1',
    breaks: 'RATE-6',
    seenIn: 'rack-ratelimit#3, flask-limiter#56, koajs/ratelimit#55',
  }),
  headerFault('remaining-with-decimals', 'The Remaining of a 201 has a fraction.', 'X-RateLimit-Remaining', {
    applies: isCreated,
    change: (remaining) => `${remaining}.5`,
    breaks: 'RATE-6',
    seenIn: 'token buckets printed without rounding',
  }),
  headerFault('remaining-empty', 'The Remaining of a 201 is empty.', 'X-RateLimit-Remaining', {
    applies: isCreated,
    change: () => '',
    breaks: 'RATE-6',
    seenIn: 'bosnet/sebak#560',
  }),
  {
    id: 'remaining-never-falls',
    description: 'Remaining is the same on every answer until the limit is reached.',
    breaks: ['RATE-7', 'RATE-8'],
    seenIn: 'headers read from another store than the one that counts',
    ...onDecision((decision) => ({ ...decision, remaining: decision.allowed ? decision.limit - 1 : 0 })),
  },
  {
    id: 'remaining-counts-up',
    description: 'Remaining is the number of requests that were used.',
    breaks: ['RATE-7', 'RATE-8'],
    seenIn: 'the counter itself put into the header',
    ...onDecision((decision) => ({ ...decision, remaining: decision.limit - decision.remaining })),
  },
  {
    id: 'creations-not-counted',
    description: 'Creations are not counted.',
    breaks: ['RATE-7', 'LIMIT-1'],
    seenIn: 'limiters bound to GET routes',
    ...uncounted(({ method }) => method === 'POST'),
  },
  {
    id: 'lists-not-counted',
    description: 'Lists are not counted.',
    breaks: ['RATE-7', 'LIMIT-1'],
    seenIn: 'limiters bound to writing routes',
    ...uncounted(({ method }) => method === 'GET'),
  },
  {
    id: 'every-request-counts-twice',
    description: 'Every request is counted twice.',
    breaks: ['RATE-7', 'LIMIT-2'],
    seenIn: 'nestjs/throttler#1365: the same middleware bound twice',
    ...countingAgain(() => true),
  },
  {
    id: 'creations-count-twice',
    description: 'Every creation is counted twice.',
    breaks: ['RATE-7', 'LIMIT-2'],
    seenIn: 'weights for expensive operations that the plan does not mention',
    ...countingAgain((method) => method === 'POST'),
  },
  {
    id: 'strangers-spend-the-key',
    description: 'Requests without a key are counted for the caller who was last seen.',
    breaks: ['RATE-7', 'LIMIT-2'],
    seenIn: 'limiters in front of authentication that know a caller by the address',
    ...chargingTheLastCaller(),
  },
  {
    id: 'remaining-one-too-high',
    description: 'Remaining is what was left before the request.',
    breaks: ['RATE-8'],
    seenIn: 'rack-ratelimit#3, tenso#17',
    ...onDecision((decision) => ({
      ...decision,
      remaining: decision.remaining + (decision.allowed ? 1 : 0),
    })),
  },
  {
    id: 'remaining-full-on-429',
    description: 'A 429 says that the whole limit is left.',
    breaks: ['RATE-8'],
    seenIn: 'headers written from a fresh record when the stored one is not read',
    ...onDecision((decision) => ({
      ...decision,
      remaining: decision.allowed ? decision.remaining : decision.limit,
    })),
  },
  headerFault(
    'remaining-above-limit',
    'The Remaining of a list is greater than the Limit.',
    'X-RateLimit-Remaining',
    {
      applies: isList,
      change: (remaining) => String(1000 + Number(remaining)),
      breaks: 'RATE-6',
      seenIn: 'what is left of the day beside the limit of the minute',
    },
  ),
  headerFault('remaining-with-unit', 'The Remaining of a 400 names its unit.', 'X-RateLimit-Remaining', {
    applies: hasStatus(400),
    change: (remaining) => `${remaining} requests`,
    breaks: 'RATE-6',
    seenIn: 'values written for people',
  }),
  headerFault('remaining-is-minus-zero', 'The Remaining of a 429 is "-0".', 'X-RateLimit-Remaining', {
    applies: hasStatus(429),
    change: () => '-0',
    breaks: 'RATE-6',
    seenIn: 'Lua and C, which print the sign of a zero that was rounded up',
  }),
  {
    id: 'creations-cost-five',
    description: 'Every creation is counted five times.',
    breaks: ['RATE-7', 'RATE-8', 'LIMIT-2'],
    seenIn: 'weights for expensive operations that the plan does not mention (GitHub’s GraphQL points)',
    ...countingAgain((method) => method === 'POST', 4),
  },
  {
    id: 'creations-reset-the-counter',
    description: 'Every creation gives the whole limit back.',
    breaks: ['RATE-7', 'LIMIT-1'],
    seenIn: 'ulule/limiter#230; caches flushed on every write, counters among them',
    ...forgetting(({ method }) => method === 'POST'),
  },
  {
    id: 'every-third-request-not-counted',
    description: 'Every third request passes without being counted.',
    breaks: ['RATE-7', 'LIMIT-1'],
    seenIn: 'limiters that pass a request on when their store does not answer in time',
    ...uncountedEveryThird(),
  },
  {
    id: 'remaining-zero-after-recovery',
    description: 'Once a caller was refused its Remaining stays 0, although requests are accepted again.',
    breaks: [],
    undecidable: {
      requirement: 'RATE-7',
      because:
        'A sliding log gives back one request at a time, so that the first one after Retry-After is answered 200 with nothing left by a conforming service as well. A second one would tell; the examination sends none beyond the 62 that it needs.',
    },
    seenIn: 'a flag of the first refusal that nobody takes back',
    ...stuckAtZero(),
  },
  {
    id: 'remaining-of-the-last-caller',
    description: 'Remaining is what the caller before had left.',
    breaks: [],
    breaksIfKeyIsExclusive: ['RATE-7', 'RATE-8'],
    undecidable: {
      requirement: 'RATE-7',
      because:
        'Remaining falls and rises then as it would if another client used the key at the same time, which no service can help. RATE-7 is inconclusive for it, and the run incomplete; with --exclusive-key both requirements fail.',
    },
    seenIn: 'a variable of the module where one of the request belongs',
    ...ofTheLastCaller(),
  },
];

/** Counts some requests once more, or several times more; one that does not fit in whole is refused. */
function countingAgain(concerned: (method: string) => boolean, times = 1): Seams {
  return {
    wrapLimiter: (limiter) => ({
      consume(caller, request, now) {
        let shown = limiter.consume(caller, request, now);
        if (!caller.authenticated || !concerned(request.method)) return shown;
        for (let time = 0; shown.allowed && time < times; time += 1) {
          const { resetAt, ...next } = limiter.consume(caller, request, now);
          shown = { ...next, resetAt, retryAt: next.allowed ? now : resetAt };
        }
        return shown;
      },
    }),
  };
}

/** Gives a caller a new counter for each of some requests. */
function forgetting(when: (request: Request) => boolean): Seams {
  return countingMinute((limiter) => {
    const generations = new Map<string, number>();
    return {
      consume(caller, request, now) {
        const generation = (generations.get(caller.id) ?? 0) + (when(request) ? 1 : 0);
        generations.set(caller.id, generation);
        return limiter.consume({ ...caller, id: `${caller.id} ${generation}` }, request, now);
      },
    };
  });
}

function uncountedEveryThird(): Seams {
  return {
    wrapLimiter(limiter, context) {
      let requests = 0;
      const free = uncounted(() => {
        requests += 1;
        return requests % 3 === 0;
      });
      return free.wrapLimiter?.(limiter, context) ?? limiter;
    },
  };
}

function stuckAtZero(): Seams {
  return {
    wrapLimiter(limiter) {
      const refused = new Set<string>();
      return {
        consume(caller, request, now) {
          const decision = limiter.consume(caller, request, now);
          if (!decision.allowed) refused.add(caller.id);
          return refused.has(caller.id) ? { ...decision, remaining: 0 } : decision;
        },
      };
    },
  };
}

function ofTheLastCaller(): Seams {
  return {
    wrapLimiter(limiter) {
      let last: number | undefined;
      return {
        consume(caller, request, now) {
          const decision = limiter.consume(caller, request, now);
          const remaining = Math.min(last ?? decision.remaining, decision.limit);
          last = decision.remaining;
          return { ...decision, remaining };
        },
      };
    },
  };
}

function chargingTheLastCaller(): Seams {
  return {
    wrapLimiter(limiter) {
      let last: Caller | undefined;
      return {
        consume(caller, request, now) {
          if (caller.authenticated) last = caller;
          else if (last !== undefined) limiter.consume(last, request, now);
          return limiter.consume(caller, request, now);
        },
      };
    },
  };
}
