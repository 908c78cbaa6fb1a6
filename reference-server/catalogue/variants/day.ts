import type { AlgorithmName } from '../../limiters/index.ts';
import type { Decision, Limiter } from '../../limiters/limiter.ts';
import { createLimiter } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import type { Caller } from '../../service/callers.ts';
import { parseNewCategory } from '../../service/categories.ts';
import { aroundEach, countingDay, withClockAhead, withQuotaOf } from '../wrappers/counting.ts';
import { isCreation } from '../wrappers/responses.ts';
import type { StatedVariants } from './variant.ts';

/** A day ends so long after the start of the service, in minutes: while a run uses the day. */
const MINUTES_LEFT = 2.5;

/** Conforming ways to count the day. They show where a run uses all of it. */
export const day: StatedVariants = {
  'day-ends-during-the-run': {
    topic: 'K40',
    description: 'The day begins at a fixed time, which comes while a run uses the day.',
    seenIn: 'quotas per calendar day, such as those of Google’s APIs, which reset at midnight Pacific Time',
    testedWith: 'a used day',
    // Windows of a day that are aligned to a clock by which the present day ends soon.
    ...countingDay((_, context) => {
      const started = context.now();
      return withClockAhead(dayBy('fixed-window'), ({ quotas }) => {
        const windowMs = quotas[0]?.windowMs ?? 1;
        // By this clock the service started that much before the end of a day.
        return windowMs - (started % windowMs) - MINUTES_LEFT * (context.plans.minuteSeconds * 1000);
      });
    }),
  },
  'rolling-day': {
    topic: 'K41',
    description: 'The day is a sliding log: each request counts for as long as a day.',
    seenIn: 'sorted sets in Redis with an entry for each request',
    testedWith: 'a used day',
    ...countingDay(() => dayBy('sliding-log')),
  },
  'day-as-a-bucket': {
    topic: 'K41',
    description: 'The day is a bucket that gives back one request at a time.',
    seenIn: 'bucket4j with a bandwidth per day',
    testedWith: 'a used day',
    ...countingDay(() => dayBy('token-bucket')),
  },
  'rejected-not-counted-for-the-day': {
    topic: 'K33',
    description: 'A creation that gets 400 counts for the minute and not for the day.',
    seenIn: 'quotas that bill successful requests only',
    testedWith: 'a used day',
    ...countingDay((limiter) => (caller, request, now) => {
      const rejected = isCreation(request) && !parseNewCategory(request).ok;
      const [quota] = caller.quotas;
      if (!rejected || quota === undefined) return limiter(caller, request, now);
      return { allowed: true, limit: quota.limit, remaining: quota.limit, resetAt: now, retryAt: now };
    }),
  },
  'headers-never-describe-the-day': {
    topic: 'K20',
    description: 'The headers describe the minute, on a 429 about the day as well.',
    seenIn: 'a quota in the application behind a gateway’s limiter that writes the headers',
    testedWith: 'a used day',
    wrapLimiter: (limiter) => (caller, request, now) => {
      if (!caller.authenticated) return limiter(caller, request, now);
      const minute = limiter(withQuotaOf('minute', caller), request, now);
      if (!minute.allowed) return minute;
      const { allowed, retryAt } = limiter(withQuotaOf('day', caller), request, now);
      return { ...minute, allowed, retryAt: allowed ? minute.retryAt : retryAt };
    },
  },
};

/** Counts a day as this algorithm counts a minute. */
function dayBy(algorithm: AlgorithmName): Limiter {
  const days = createLimiter(algorithm, [], 0);
  return (caller, request, now) => {
    const quotas = caller.quotas.map((quota) => ({ ...quota, window: 'minute' as const }));
    return days({ ...caller, quotas }, request, now);
  };
}

const SECOND = 1000;

/** What was left of the day when the run began. */
const LEFT = 30;

const BECAUSE =
  'A 429 that asks for less than a window is about a day that no header shows; the next round ends otherwise.';

/** Days that earlier use has nearly exhausted, behind headers that only show the minute. */
export const unshownDays: StatedVariants = {
  'unshown-day-ends-in-50-seconds': {
    topic: 'K40',
    description: 'The headers show the minute; of the day thirty requests are left, and it ends 50 s later.',
    warnings: ['LIMIT-2'],
    inconclusive: ['RATE-8'],
    because: BECAUSE,
    seenIn: 'stacked limiters of which only the one of the minute writes headers',
    ...behindTheMinute((first, used, now) =>
      now >= first + 50 * SECOND || used < LEFT ? now : first + 50 * SECOND,
    ),
  },
  'unshown-rolling-day': {
    topic: 'K40',
    description:
      'The headers show the minute; of a rolling day thirty requests are left, and one comes back every 20 s.',
    inconclusive: ['RATE-8', 'LIMIT-2', 'LIMIT-4', 'RETRY-3', 'RETRY-4'],
    because: BECAUSE,
    seenIn: 'a log of the day behind the headers of the minute',
    ...behindTheMinute((first, used, now) => Math.max(now, first + (used - LEFT + 1) * 20 * SECOND)),
  },
};

/** @param acceptsAt when the day accepts the next request: from its first request on, after so many that were used. */
function behindTheMinute(acceptsAt: (first: number, used: number, now: number) => number): Seams {
  return aroundEach((limiter) => {
    let first: number | undefined;
    let used = 0;
    let last: Decision | undefined;
    return (caller, request, now) => {
      if (!caller.authenticated) return limiter(caller, request, now);
      const retryAt = acceptsAt(first ?? now, used, now);
      if (retryAt > now && last !== undefined)
        return { ...current(last, caller, now), allowed: false, retryAt };
      last = limiter(caller, request, now);
      if (last.allowed) {
        first ??= now;
        used += 1;
      }
      return last;
    };
  });
}

/** What the headers show of the minute: once its window has passed, a new one that nothing has used. */
function current(last: Decision, { quotas }: Caller, now: number): Decision {
  const minute = quotas.find(({ window }) => window === 'minute');
  if (last.resetAt > now || minute === undefined) return last;
  return { ...last, remaining: minute.limit, resetAt: now + minute.windowMs };
}
