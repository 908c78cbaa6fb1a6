import type { AlgorithmName } from '../../limiters/index.ts';
import { createLimiter } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import { parseNewCategory } from '../../service/new-category.ts';
import { countingDay, withQuotaOf } from '../wrappers/counting.ts';
import { isCreation } from '../wrappers/responses.ts';
import type { Variant } from './variant.ts';
import { conforms } from './variant.ts';

/** A day ends so long after the start of the service, in minutes: while a run uses the day. */
const MINUTES_LEFT = 2.5;

/** Conforming ways to count the day. They show where a run uses all of it. */
export const day: readonly Variant[] = [
  {
    id: 'day-ends-during-the-run',
    topic: 'K40',
    description: 'The day begins at a fixed time, which comes while a run uses the day.',
    expected: conforms,
    seenIn: 'quotas per calendar day, such as those of Google’s APIs, which reset at midnight Pacific Time',
    testedWith: 'a used day',
    ...alignedDay(),
  },
  {
    id: 'rolling-day',
    topic: 'K41',
    description: 'The day is a sliding log: each request counts for as long as a day.',
    expected: conforms,
    seenIn: 'sorted sets in Redis with an entry for each request',
    testedWith: 'a used day',
    ...dayAs('sliding-log'),
  },
  {
    id: 'day-as-a-sliding-counter',
    topic: 'K41',
    description: 'The day is a sliding counter over two calendar days.',
    expected: conforms,
    seenIn: 'sliding windows of two counters, as Kong offers for every period',
    testedWith: 'a used day',
    ...dayAs('sliding-counter'),
  },
  {
    id: 'day-as-a-bucket',
    topic: 'K41',
    description: 'The day is a bucket that gives back one request at a time.',
    expected: conforms,
    seenIn: 'bucket4j with a bandwidth per day',
    testedWith: 'a used day',
    ...dayAs('token-bucket'),
  },
  {
    id: 'rejected-not-counted-for-the-day',
    topic: 'K33',
    description: 'A creation that gets 400 counts for the minute and not for the day.',
    expected: conforms,
    seenIn: 'quotas that bill successful requests only',
    testedWith: 'a used day',
    ...countingDay((limiter) => ({
      consume(caller, request, now) {
        const rejected = isCreation(request) && !parseNewCategory(request).ok;
        const [quota] = caller.quotas;
        if (!rejected || quota === undefined) return limiter.consume(caller, request, now);
        return { allowed: true, limit: quota.limit, remaining: quota.limit, resetAt: now, retryAt: now };
      },
    })),
  },
  {
    id: 'headers-never-describe-the-day',
    topic: 'K20',
    description: 'The headers describe the minute, on a 429 about the day as well.',
    expected: conforms,
    seenIn: 'a quota in the application behind a gateway’s limiter that writes the headers',
    testedWith: 'a used day',
    ...minuteInHeaders(),
  },
];

/** Counts the day under this algorithm. */
function dayAs(algorithm: AlgorithmName): Seams {
  return countingDay(() => {
    const days = createLimiter(algorithm, [], 0);
    return {
      // As a minute, because only the minute has a choice of algorithms.
      consume: (caller, request, now) => {
        const quotas = caller.quotas.map((quota) => ({ ...quota, window: 'minute' as const }));
        return days.consume({ ...caller, quotas }, request, now);
      },
    };
  });
}

/** Windows of a day that are aligned to a clock by which the present day ends soon. */
function alignedDay(): Seams {
  return countingDay((_, context) => {
    const days = createLimiter('fixed-window', [], 0);
    const started = context.now();
    return {
      consume(caller, request, now) {
        const quotas = caller.quotas.map((quota) => ({ ...quota, window: 'minute' as const }));
        const windowMs = quotas[0]?.windowMs ?? 1;
        // By this clock the service started that much before the end of a day.
        const ahead = windowMs - (started % windowMs) - MINUTES_LEFT * (context.plans.minuteSeconds * 1000);
        const decision = days.consume({ ...caller, quotas }, request, now + ahead);
        return { ...decision, resetAt: decision.resetAt - ahead, retryAt: decision.retryAt - ahead };
      },
    };
  });
}

function minuteInHeaders(): Seams {
  return {
    wrapLimiter: (limiter) => ({
      consume(caller, request, now) {
        if (!caller.authenticated) return limiter.consume(caller, request, now);
        const minute = limiter.consume(withQuotaOf('minute', caller), request, now);
        if (!minute.allowed) return minute;
        const { allowed, retryAt } = limiter.consume(withQuotaOf('day', caller), request, now);
        return { ...minute, allowed, retryAt: allowed ? minute.retryAt : retryAt };
      },
    }),
  };
}
