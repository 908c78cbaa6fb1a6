import type { Quota } from '../../limiters/algorithm.ts';
import { createLimiter } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import type { Caller } from '../../service/callers.ts';
import { countingMinute } from './counting.ts';

/** The caller's limit per minute. @throws {Error} for a caller without one */
export const minuteOf = ({ quotas }: Caller): Quota => {
  const minute = quotas.find(({ window }) => window === 'minute');
  if (minute === undefined) throw new Error('a caller with a key has a limit per minute');
  return minute;
};

/** The time between requests at the rate of this quota, in milliseconds. */
export const intervalMs = ({ windowMs, limit }: Quota): number => windowMs / limit;

/** What a bucket of this capacity, in requests, counts: it is refilled at the rate of the minute. */
export function quotaOfBucket(caller: Caller, capacity: number): Quota {
  const minute = minuteOf(caller);
  return { ...minute, limit: capacity, windowMs: capacity * intervalMs(minute) };
}

/** A bucket that holds less than the limit and is refilled at the limit's rate; the headers still show the limit. */
export function bucketOf(capacity: (limit: number) => number): Seams {
  return countingMinute(() => {
    const bucket = createLimiter('token-bucket', [], 0);
    return {
      consume(caller, request, now) {
        const { limit } = minuteOf(caller);
        const quotas = [quotaOfBucket(caller, capacity(limit))];
        return { ...bucket.consume({ ...caller, quotas }, request, now), limit };
      },
    };
  });
}
