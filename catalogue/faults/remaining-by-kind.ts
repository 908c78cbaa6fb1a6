import type { Decision } from '../../reference-server/limiter.ts';
import type { Request } from '../../reference-server/message.ts';
import type { Seams } from '../../reference-server/seams.ts';
import type { Applies } from './answers.ts';
import { isCreated, mapHeader, onReply, status } from './answers.ts';
import type { Fault } from './fault.ts';

/** Faults of the chapter "Rate-limit headers": Remaining follows the count on every kind of answer but one. */
export const remainingByKind: readonly Fault[] = [
  {
    id: 'remaining-before-counting-on-lists',
    says: 'A GET shows Remaining as it was before the request, every other answer as it is after it.',
    breaks: ['RATE-7', 'RATE-8'],
    seen: 'headers written by two middlewares, one in front of the counter and one behind it',
    ...shownBefore(({ method }) => method === 'GET'),
  },
  {
    id: 'remaining-before-counting-on-creations',
    says: 'A POST shows Remaining as it was before the request, every other answer as it is after it.',
    breaks: ['RATE-7'],
    seen: 'headers written by two middlewares, one in front of the counter and one behind it',
    ...shownBefore(({ method }) => method === 'POST'),
  },
  {
    id: 'remaining-zero-on-400',
    says: 'A 400 response says that no requests are left.',
    breaks: ['RATE-7'],
    seen: 'error handlers that fill in the headers by themselves',
    ...showing(status(400), () => 0),
  },
  {
    id: 'remaining-two-less-on-400',
    says: 'A 400 response says that two requests fewer are left than there are.',
    breaks: ['RATE-7'],
    seen: 'error pages that count once more for themselves and are given back afterwards',
    ...showing(status(400), (remaining) => remaining - 2),
  },
  {
    id: 'remaining-one-less-on-201',
    says: 'A 201 response says that one request fewer is left than there is.',
    breaks: ['RATE-7'],
    seen: 'responses that are rendered after the next request was reserved',
    ...showing(isCreated, (remaining) => remaining - 1),
  },
  {
    id: 'every-fifth-request-counts-twice',
    says: 'Every fifth request takes two from the quota.',
    breaks: ['RATE-7', 'LIMIT-2'],
    seen: 'gateways that send a share of the traffic twice, to compare two versions',
    ...countingTwice(5),
  },
];

function shownBefore(concerned: (request: Request) => boolean): Seams {
  const before = (decision: Decision): Decision =>
    decision.allowed ? { ...decision, remaining: decision.remaining + 1 } : decision;
  return {
    wrapLimiter: (limiter) => ({
      spend(caller, request, now) {
        const decision = limiter.spend(caller, request, now);
        return caller.known && concerned(request) ? before(decision) : decision;
      },
    }),
  };
}

function showing(applies: Applies, change: (remaining: number) => number): Seams {
  return onReply(applies, (reply) =>
    mapHeader(reply, 'X-RateLimit-Remaining', (text) => String(Math.max(0, change(Number(text))))),
  );
}

function countingTwice(nth: number): Seams {
  return {
    wrapLimiter(limiter) {
      let requests = 0;
      return {
        spend(caller, request, now) {
          const decision = limiter.spend(caller, request, now);
          if (!caller.known) return decision;
          requests += 1;
          return decision.allowed && requests % nth === 0 ? limiter.spend(caller, request, now) : decision;
        },
      };
    },
  };
}
