import type { Decision } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import { composed } from '../../seams.ts';
import { parseNewCategory } from '../../service/categories.ts';
import type { Request } from '../../service/message.ts';
import {
  aroundEach,
  bucketOf,
  countedAs,
  countingMinute,
  countingMinutes,
  intervalMs,
  minuteOf,
  onDecision,
  smallBucket,
} from '../wrappers/counting.ts';
import { delayed, isCreation } from '../wrappers/responses.ts';
import { queueing } from './limiters.ts';
import type { StatedVariants } from './variant.ts';
import { inconclusiveWithout429 } from './variant.ts';

function underHeadersOfTheDay(capacity: number): Seams {
  const describingTheDay = aroundEach((limiter) => {
    let used = 0;
    return (caller, request, now) => {
      const decision = limiter(caller, request, now);
      const quota = caller.quotas.find(({ window }) => window === 'day');
      if (!caller.authenticated || quota === undefined) return decision;
      if (decision.allowed) used += 1;
      const remaining = Math.max(0, quota.limit - used);
      return { ...decision, limit: quota.limit, remaining, resetAt: now + quota.windowMs };
    };
  });
  return composed(
    bucketOf(() => capacity),
    describingTheDay,
  );
}

/** The share of the limit that comes back at once. */
const PIECE = 3 / 4;

/** The differences between the delays of three responses in a row, in milliseconds. */
const DELAY_STEP_MS = 12;

/** Conforming buckets that hold less than the limit and are refilled at the rate of the limit. */
export const smallBuckets: StatedVariants = {
  'bucket-of-a-sixth': {
    topic: 'K17',
    description:
      'The limiter is a token bucket that holds a sixth of the limit and is refilled at the rate of the limit.',
    warnings: ['LIMIT-2'],
    seenIn: 'nginx limit_req with burst, Traefik’s RateLimit, GCRA with a small burst',
    ...bucketOf((limit) => Math.ceil(limit / 6)),
  },
  'bucket-of-one': {
    topic: 'K17',
    description:
      'The limiter is a leaky bucket without burst: requests must be spaced at the rate of the limit.',
    warnings: ['LIMIT-2'],
    seenIn: 'nginx limit_req without burst',
    ...bucketOf(() => 1),
  },
  'bucket-that-delays-by-half-an-interval': {
    topic: 'K17',
    description:
      'A token bucket of three delays a request that it can accept within half an interval, and answers 429 otherwise.',
    warnings: ['LIMIT-2'],
    seenIn: 'Traefik’s RateLimit, which waits for a reservation for half the time between two requests',
    ...queueing(
      () => smallBucket(() => 3),
      (caller) => intervalMs(minuteOf(caller)) / 2,
    ),
  },
  'bucket-before-a-window': {
    topic: 'K17',
    description:
      'A bucket of five stands before the service, which counts a window of its own and describes that one in every header.',
    warnings: ['LIMIT-2', 'RATE-8'],
    seenIn: 'nginx limit_req before a service with express-rate-limit',
    // The bucket decides first. What it rejects is not counted in the window, whose headers its 429 shows.
    ...countingMinutes((limiter) => {
      const bucket = smallBucket(() => 5);
      let shown: Decision | undefined;
      return (caller, request, now) => {
        const passed = bucket(caller, request, now);
        if (!passed.allowed && shown !== undefined)
          return { ...shown, allowed: false, retryAt: passed.retryAt };
        shown = limiter(caller, request, now);
        return shown;
      };
    }),
  },
  'bucket-under-headers-of-the-day': {
    topic: 'K17',
    description: 'The limiter is a token bucket of five, and the headers always describe the day.',
    warnings: ['LIMIT-2'],
    seenIn: 'nginx limit_req before a service that shows the quota of the day, as Tyk does',
    ...underHeadersOfTheDay(5),
  },

  // Conforming limiters that are full again more than a window later, as their Reset says.
  'bucket-in-pieces-resets-when-full': {
    topic: 'K16',
    description:
      'A bucket gets three quarters of the limit back every three quarters of a window. Reset is the time at which it is full, and Retry-After waits for it.',
    warnings: ['RATE-9', 'LIMIT-4'],
    seenIn: 'bucket4j with an interval refill, whose headers show the time to a full refill',
    ...countingMinute(() => {
      let before: { readonly missing: number; readonly piece: number } | undefined;
      return (caller, _request, now): Decision => {
        const { limit, windowMs } = minuteOf(caller);
        const size = Math.round(PIECE * limit);
        const every = (size * windowMs) / limit;
        const piece = Math.floor(now / every);
        const left = before === undefined ? 0 : Math.max(0, before.missing - size * (piece - before.piece));
        const allowed = left < limit;
        const missing = allowed ? left + 1 : left;
        before = { missing, piece };
        const resetAt = Math.ceil((piece + Math.ceil(missing / size)) * every);
        return { allowed, limit, remaining: limit - missing, resetAt, retryAt: allowed ? now : resetAt };
      };
    }),
  },
  'counter-resets-at-end-of-next-window': {
    topic: 'K13',
    description:
      'The limiter is a sliding counter. Reset is the end of its next window, when the quota is full again, and Retry-After waits for it.',
    warnings: ['RATE-9', 'LIMIT-4'],
    seenIn: 'counters that show when their stored record expires',
    algorithm: 'sliding-counter',
    ...onDecision((decision, caller) => {
      const resetAt = decision.resetAt + minuteOf(caller).windowMs;
      return { ...decision, resetAt, retryAt: decision.allowed ? decision.retryAt : resetAt };
    }),
  },

  // Conforming ways to count requests and to show the count.
  'rejected-given-back': {
    topic: 'K33',
    description: 'A creation that gets 400 is counted, and given back after its response.',
    seenIn: 'express-rate-limit with skipFailedRequests',
    // Counts these requests and refunds them after their responses, until the window ends.
    ...countingMinute((limiter) => {
      let [requests, until] = [0, 0];
      return (caller, request, now) => {
        if (now >= until) requests = 0;
        const quotas = caller.quotas.map((quota) => ({ ...quota, limit: quota.limit + requests }));
        const decision = limiter({ ...caller, quotas }, request, now);
        const limit = decision.limit - requests;
        // A refund may expire before the request that it was for.
        const remaining = Math.max(0, Math.min(limit, decision.remaining));
        if (decision.allowed && isRejected(request)) [requests, until] = [requests + 1, decision.resetAt];
        return { ...decision, limit, remaining };
      };
    }),
  },
  'answers-overtake': {
    topic: 'K37',
    description: 'The responses to simultaneous requests arrive out of order.',
    seenIn: 'every server with more than one worker',
    ...delayed((turn) => DELAY_STEP_MS * (2 - (turn % 3))),
  },
  'slower-than-the-rate': {
    topic: 'K74',
    description: 'Responses are so slow that sequential requests never reach the limit.',
    seenIn: 'services behind a slow database',
    ...delayed((_, intervalMs) => 1.1 * intervalMs),
  },
  'slower-than-the-window': {
    topic: 'K74',
    description: 'Responses are so slow that the limit is never reached within one window.',
    inconclusive: inconclusiveWithout429,
    because: 'The limit is not reached, so nothing shows what happens beyond it.',
    seenIn: 'services that time out behind a gateway and respond later',
    ...delayed((_, intervalMs) => 10 * intervalMs),
  },
  'two-keys-of-one-account': {
    topic: 'K72',
    description: 'All keys of a plan belong to one caller and share one limit.',
    seenIn: 'GitHub, where the tokens of one account share a limit',
    testedWith: 'no second key',
    ...countedAs(({ id }) => id.replace(/-\d+$/, '')),
  },
};

/** Whether a request will get 400: an invalid creation. */
function isRejected(request: Request): boolean {
  return isCreation(request) && !parseNewCategory(request).ok;
}
