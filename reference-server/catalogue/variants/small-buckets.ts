import { createLimiter } from '../../limiters/limiter.ts';
import type { SeamContext, Seams } from '../../seams.ts';
import { countingMinute, onDecision } from '../wrappers/counting.ts';
import { delayingResponses } from '../wrappers/delaying.ts';
import { bucketOf, intervalMs, minuteOf, quotaOfBucket } from '../wrappers/small-bucket.ts';
import type { Variant } from './variant.ts';
import { conformsWithWarnings } from './variant.ts';

/** Conforming buckets that hold less than the limit and are refilled at the rate of the limit. */
export const smallBuckets: readonly Variant[] = [
  {
    id: 'bucket-of-a-sixth',
    topic: 'K17',
    description:
      'The limiter is a token bucket that holds a sixth of the limit and is refilled at the rate of the limit.',
    expected: conformsWithWarnings('LIMIT-2'),
    seenIn: 'nginx limit_req with burst, Traefik’s RateLimit, GCRA with a small burst',
    ...bucketOf((limit) => Math.ceil(limit / 6)),
  },
  {
    id: 'bucket-of-five',
    topic: 'K17',
    description:
      'The limiter is a token bucket that holds five requests, fewer than a client sends at the same time.',
    expected: conformsWithWarnings('LIMIT-2'),
    seenIn: 'nginx limit_req with burst=4 nodelay',
    ...bucketOf(() => 5),
  },
  {
    id: 'bucket-of-one',
    topic: 'K17',
    description:
      'The limiter is a leaky bucket without burst: requests must be spaced at the rate of the limit.',
    expected: conformsWithWarnings('LIMIT-2'),
    seenIn: 'nginx limit_req without burst',
    ...bucketOf(() => 1),
  },
  {
    id: 'bucket-that-delays-by-half-an-interval',
    topic: 'K17',
    description:
      'A token bucket of three delays a request that it can accept within half an interval, and answers 429 otherwise.',
    expected: conformsWithWarnings('LIMIT-2'),
    seenIn: 'Traefik’s RateLimit, which waits for a reservation for half the time between two requests',
    ...delaying(3),
  },
  {
    id: 'bucket-before-a-window',
    topic: 'K17',
    description:
      'A bucket of five stands before the service, which counts a window of its own and describes that one in every header.',
    expected: conformsWithWarnings('LIMIT-2', 'RATE-8'),
    seenIn: 'nginx limit_req before a service with express-rate-limit',
    ...beforeWindow(5),
  },
  {
    id: 'bucket-under-headers-of-the-day',
    topic: 'K17',
    description: 'The limiter is a token bucket of five, and the headers always describe the day.',
    expected: conformsWithWarnings('LIMIT-2'),
    seenIn: 'nginx limit_req before a service that shows the quota of the day, as Tyk does',
    ...underHeadersOfTheDay(5),
  },
];

/** A request that the bucket can accept within half an interval gets its response then. */
function delaying(capacity: number): Seams {
  const delays = new WeakMap<SeamContext, number>();
  const bucket = countingMinute((_, context) => {
    const tokens = createLimiter('token-bucket', [], 0);
    const lastAt = new Map<string, number>();
    return {
      consume(caller, request, now) {
        const minute = minuteOf(caller);
        const limited = { ...caller, quotas: [quotaOfBucket(caller, capacity)] };
        // After all requests that are already waiting.
        const from = Math.max(now, lastAt.get(caller.id) ?? 0);
        const first = tokens.consume(limited, request, from);
        const at = first.allowed ? from : first.retryAt;
        const waits = at - now <= intervalMs(minute) / 2;
        delays.set(context, waits ? at - now : 0);
        if (waits) lastAt.set(caller.id, at);
        const decision = first.allowed || !waits ? first : tokens.consume(limited, request, at);
        return { ...decision, limit: minute.limit };
      },
    };
  });
  return { ...bucket, ...delayingResponses(delays) };
}

/** The bucket decides first. What it rejects is not counted in the window, whose headers its 429 shows. */
function beforeWindow(capacity: number): Seams {
  return countingMinute((limiter) => {
    const bucket = createLimiter('token-bucket', [], 0);
    let shown: ReturnType<typeof limiter.consume> | undefined;
    return {
      consume(caller, request, now) {
        const passed = bucket.consume({ ...caller, quotas: [quotaOfBucket(caller, capacity)] }, request, now);
        if (!passed.allowed && shown !== undefined)
          return { ...shown, allowed: false, retryAt: passed.retryAt };
        shown = limiter.consume(caller, request, now);
        return shown;
      },
    };
  });
}

function underHeadersOfTheDay(capacity: number): Seams {
  const bucket = bucketOf(() => capacity);
  return {
    wrapLimiter(limiter, context) {
      const days = new Map<string, number>();
      const day = onDecision((decision, caller) => {
        const quota = caller.quotas.find(({ window }) => window === 'day');
        if (quota === undefined) return decision;
        const used = (days.get(caller.id) ?? 0) + (decision.allowed ? 1 : 0);
        days.set(caller.id, used);
        const resetAt = context.now() + quota.windowMs;
        return { ...decision, limit: quota.limit, remaining: Math.max(0, quota.limit - used), resetAt };
      });
      return wrapped(day, wrapped(bucket, limiter, context), context);
    },
  };
}

type LimiterSeam = NonNullable<Seams['wrapLimiter']>;

const wrapped = (
  { wrapLimiter }: Seams,
  limiter: Parameters<LimiterSeam>[0],
  context: SeamContext,
): ReturnType<LimiterSeam> => wrapLimiter?.(limiter, context) ?? limiter;
