import type { Caller } from '../callers.ts';
import type { Seams } from '../seams.ts';
import { isCreated, mapHeader, onReply, status } from './answers.ts';
import { onDecision, uncounted } from './counting.ts';
import type { Fault } from './fault.ts';
import { headerFault } from './fault.ts';

const THREE_HOURS = 10_800;

/** Faults of the chapter "Rate-limit headers": what Remaining and Reset say. */
export const remainingAndReset: readonly Fault[] = [
  headerFault('remaining-below-zero', 'A 429 says that −1 requests are left.', 'X-RateLimit-Remaining', {
    applies: status(429),
    change: () => '-1',
    breaks: 'RATE-6',
    seen: 'rack-ratelimit#3, flask-limiter#56, koajs/ratelimit#55',
  }),
  headerFault('remaining-with-decimals', 'The Remaining of a 201 has a fraction.', 'X-RateLimit-Remaining', {
    applies: isCreated,
    change: (remaining) => `${remaining}.5`,
    breaks: 'RATE-6',
    seen: 'token buckets printed without rounding',
  }),
  headerFault('remaining-empty', 'The Remaining of a 201 is empty.', 'X-RateLimit-Remaining', {
    applies: isCreated,
    change: () => '',
    breaks: 'RATE-6',
    seen: 'bosnet/sebak#560',
  }),
  {
    id: 'remaining-never-falls',
    says: 'Remaining is the same on every answer until the limit is reached.',
    breaks: ['RATE-7', 'RATE-8'],
    seen: 'headers read from another store than the one that counts',
    ...onDecision((decision) => ({ ...decision, remaining: decision.allowed ? decision.limit - 1 : 0 })),
  },
  {
    id: 'remaining-counts-up',
    says: 'Remaining is the number of requests that were used.',
    breaks: ['RATE-7', 'RATE-8'],
    seen: 'the counter itself put into the header',
    ...onDecision((decision) => ({ ...decision, remaining: decision.limit - decision.remaining })),
  },
  {
    id: 'creations-not-counted',
    says: 'Creations are not counted.',
    breaks: ['RATE-7', 'LIMIT-1'],
    seen: 'limiters bound to GET routes',
    ...uncounted(({ method }) => method === 'POST'),
  },
  {
    id: 'lists-not-counted',
    says: 'Lists are not counted.',
    breaks: ['RATE-7', 'LIMIT-1'],
    seen: 'limiters bound to writing routes',
    ...uncounted(({ method }) => method === 'GET'),
  },
  {
    id: 'every-request-counts-twice',
    says: 'Every request is counted twice.',
    breaks: ['RATE-7', 'LIMIT-2'],
    seen: 'nestjs/throttler#1365: the same middleware bound twice',
    ...countingAgain(() => true),
  },
  {
    id: 'creations-count-twice',
    says: 'Every creation is counted twice.',
    breaks: ['RATE-7', 'LIMIT-2'],
    seen: 'weights for expensive operations that the plan does not mention',
    ...countingAgain((method) => method === 'POST'),
  },
  {
    id: 'strangers-spend-the-key',
    says: 'Requests without a key are counted for the caller who was last seen.',
    breaks: ['RATE-7', 'LIMIT-2'],
    seen: 'limiters in front of authentication that know a caller by the address',
    ...chargingTheLastCaller(),
  },
  {
    id: 'remaining-one-too-high',
    says: 'Remaining is what was left before the request.',
    breaks: ['RATE-8'],
    seen: 'rack-ratelimit#3, tenso#17',
    ...onDecision((decision) => ({
      ...decision,
      remaining: decision.remaining + (decision.allowed ? 1 : 0),
    })),
  },
  {
    id: 'remaining-full-on-429',
    says: 'A 429 says that the whole limit is left.',
    breaks: ['RATE-8'],
    seen: 'headers written from a fresh record when the stored one is not read',
    ...onDecision((decision) => ({
      ...decision,
      remaining: decision.allowed ? decision.remaining : decision.limit,
    })),
  },
  {
    id: 'reset-in-seconds-left',
    says: 'Reset is the number of seconds that are left.',
    breaks: ['RATE-9'],
    seen: '@fastify/rate-limit, @nestjs/throttler, Envoy, Kong, APISIX',
    ...resetting((reset, now) => String(Math.max(0, reset - now))),
  },
  {
    id: 'reset-in-milliseconds',
    says: 'Reset is in milliseconds.',
    breaks: ['RATE-9'],
    seen: 'RocketChat/docs-old#1358',
    ...resetting((reset) => String(reset * 1000)),
  },
  {
    id: 'reset-as-text',
    says: 'Reset is a date in ISO 8601.',
    breaks: ['RATE-9'],
    seen: 'lemlist; rack-attack#283',
    ...resetting((reset) => new Date(reset * 1000).toISOString()),
  },
  {
    id: 'reset-hours-away',
    says: 'Reset lies three hours later than it should.',
    breaks: ['RATE-9'],
    seen: '3scale/apisonator#54; local time taken for UTC',
    ...resetting((reset) => String(reset + THREE_HOURS)),
  },
  {
    id: 'reset-in-the-past',
    says: 'Reset lies a minute before the answer.',
    breaks: ['RATE-9'],
    seen: 'the window’s beginning put where its end belongs',
    ...resetting((_, now) => String(now - 60)),
  },
  headerFault('reset-zero-on-429', 'The Reset of a 429 is 0.', 'X-RateLimit-Reset', {
    applies: status(429),
    change: () => '0',
    breaks: 'RATE-9',
    seen: 'apisix#9964, envoyproxy/ratelimit#165',
  }),
];

/** Counts some requests once more. */
function countingAgain(twice: (method: string) => boolean): Seams {
  return {
    wrapLimiter: (limiter) => ({
      spend(caller, request, now) {
        const first = limiter.spend(caller, request, now);
        if (!first.allowed || !caller.known || !twice(request.method)) return first;
        const second = limiter.spend(caller, request, now);
        return second.allowed ? second : first;
      },
    }),
  };
}

function chargingTheLastCaller(): Seams {
  return {
    wrapLimiter(limiter) {
      let last: Caller | undefined;
      return {
        spend(caller, request, now) {
          if (caller.known) last = caller;
          else if (last !== undefined) limiter.spend(last, request, now);
          return limiter.spend(caller, request, now);
        },
      };
    },
  };
}

/** Writes Reset in another way; both times in Unix seconds. */
function resetting(write: (reset: number, now: number) => string): Seams {
  return onReply(
    () => true,
    (reply, _, { now }) =>
      mapHeader(reply, 'X-RateLimit-Reset', (reset) => write(Number(reset), Math.floor(now() / 1000))),
  );
}
