import type { Seams } from '../../seams.ts';
import { asError, hasStatus, onResponse } from '../wrappers/responses.ts';
import { bucketOf } from '../wrappers/small-bucket.ts';
import type { Fault } from './fault.ts';
import { losingUpdates } from './limit-counters.ts';

/** How long a response takes while updates are lost, in milliseconds. */
const RESPONSE_MS = 12;

/** Faults of buckets that hold less than the limit: what a run sees only with requests at the same time from a full bucket. */
export const smallBucketFaults: readonly Fault[] = [
  {
    id: 'bucket-of-five-loses-updates',
    description: 'A token bucket of five counts simultaneous requests as one.',
    breaks: ['LIMIT-6'],
    warnings: ['LIMIT-2'],
    seenIn: 'token buckets in Redis that are read with HMGET and written with HMSET, without a script',
    ...losingUpdatesOf(5),
  },
  {
    id: 'bucket-of-one-loses-updates',
    description: 'A bucket without burst accepts every request that arrives before the first one is written.',
    breaks: ['LIMIT-6'],
    warnings: ['LIMIT-2'],
    seenIn: 'the time of the last request in a table, read before the request and written after it',
    ...losingUpdatesOf(1),
  },
  {
    id: 'bucket-of-twenty-answers-503',
    description: 'A bucket of twenty that is refilled at the rate of the plan answers 503 when it is empty.',
    breaks: ['LIMIT-3'],
    warnings: ['HTTP-4'],
    seenIn: 'nginx limit_req with burst=19 nodelay, without limit_req_status 429',
    ...bucketOf(() => 20),
    ...onResponse(hasStatus(429), (response) =>
      asError(response, 503, 'unavailable', 'Service Temporarily Unavailable'),
    ),
  },
];

/** The same loss as of a counter for a window, of a bucket that holds `capacity` requests. */
function losingUpdatesOf(capacity: number): Seams {
  const bucket = bucketOf(() => capacity);
  const losing = losingUpdates(RESPONSE_MS);
  return {
    ...losing,
    wrapLimiter(limiter, context) {
      const counted = bucket.wrapLimiter?.(limiter, context) ?? limiter;
      return losing.wrapLimiter?.(counted, context) ?? counted;
    },
  };
}
