import type { Decision } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import type { Request } from '../../service/message.ts';
import type { Applies } from '../wrappers/responses.ts';
import { hasStatus, isCreated, mapHeader, onResponse } from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';

/** Faults of the chapter "Rate-limit headers": Remaining is wrong in one kind of response only. */
export const remainingByKind: readonly Fault[] = [
  {
    id: 'remaining-before-counting-on-lists',
    description: 'A GET response shows Remaining before the request was counted; all others show it after.',
    breaks: ['RATE-7', 'RATE-8'],
    seenIn: 'headers written by two middlewares, one before the counter and one after it',
    ...shownBefore(({ method }) => method === 'GET'),
  },
  {
    id: 'remaining-before-counting-on-creations',
    description: 'A POST response shows Remaining before the request was counted; all others show it after.',
    breaks: ['RATE-7'],
    seenIn: 'headers written by two middlewares, one before the counter and one after it',
    ...shownBefore(({ method }) => method === 'POST'),
  },
  {
    id: 'remaining-zero-on-400',
    description: 'The Remaining of a 400 response is 0.',
    breaks: ['RATE-7'],
    seenIn: 'error handlers that write the headers themselves',
    ...showing(hasStatus(400), () => 0),
  },
  {
    id: 'remaining-two-less-on-400',
    description: 'The Remaining of a 400 response is two too low.',
    breaks: ['RATE-7'],
    seenIn: 'error pages that are counted once more and refunded later',
    ...showing(hasStatus(400), (remaining) => remaining - 2),
  },
  {
    id: 'remaining-one-less-on-201',
    description: 'The Remaining of a 201 response is one too low.',
    breaks: ['RATE-7'],
    seenIn: 'responses rendered after the next request was reserved',
    ...showing(isCreated, (remaining) => remaining - 1),
  },
  {
    id: 'every-fifth-request-counts-twice',
    description: 'Every fifth request is counted twice.',
    breaks: ['RATE-7', 'LIMIT-2'],
    seenIn: 'gateways that send a share of the traffic twice, to compare two versions',
    ...countingTwice(5),
  },
];

function shownBefore(applies: (request: Request) => boolean): Seams {
  const before = (decision: Decision): Decision =>
    decision.allowed ? { ...decision, remaining: decision.remaining + 1 } : decision;
  return {
    wrapLimiter: (limiter) => ({
      consume(caller, request, now) {
        const decision = limiter.consume(caller, request, now);
        return caller.authenticated && applies(request) ? before(decision) : decision;
      },
    }),
  };
}

function showing(applies: Applies, change: (remaining: number) => number): Seams {
  return onResponse(applies, (response) =>
    mapHeader(response, 'X-RateLimit-Remaining', (text) => String(Math.max(0, change(Number(text))))),
  );
}

function countingTwice(nth: number): Seams {
  return {
    wrapLimiter(limiter) {
      let requests = 0;
      return {
        consume(caller, request, now) {
          const decision = limiter.consume(caller, request, now);
          if (!caller.authenticated) return decision;
          requests += 1;
          return decision.allowed && requests % nth === 0 ? limiter.consume(caller, request, now) : decision;
        },
      };
    },
  };
}
