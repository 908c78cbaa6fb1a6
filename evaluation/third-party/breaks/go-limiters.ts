import type { Break } from './break.ts';
import { doubtful, leavesOpen, missed, violates } from './break.ts';

/** What goes wrong around limiters of Go, and the limiters that conform in the place of ulule/limiter. */
export const goLimitersBreaks: readonly Break[] = [
  leavesOpen('sethvargo', 'sethvargo/go-limiter: tokens come back all at once', 'open'),
  leavesOpen('throttled-gcra', 'throttled: GCRA with a burst of the limit', 'open'),
  leavesOpen('token-bucket', 'golang.org/x/time/rate with a burst of the limit', 'open'),
  leavesOpen(
    'token-bucket-of-a-quarter',
    'golang.org/x/time/rate with a burst of a quarter of the limit',
    'open',
  ),
  leavesOpen('retry-after-as-date', 'Retry-After is an HTTP-date', 'open'),
  violates(
    ['remote-addr-with-port', 'Requests are counted by r.RemoteAddr, which has the port', 'limit'],
    'LIMIT-1',
    'LIMIT-8',
    'RATE-7',
  ),
  violates(
    ['user-agent-in-the-key', 'Each User-Agent of a key has a counter of its own', 'limit'],
    'LIMIT-8',
  ),
  missed(
    violates(
      ['truncated-authorization', 'Requests are counted by the first 16 bytes of Authorization', 'limit'],
      'RATE-7',
      'LIMIT-7',
    ),
    'Keys that begin alike use the quota of the key. A run sends them once the quota is exhausted; with --thorough RATE-7 and LIMIT-2 fail.',
  ),
  violates(['query-in-the-key', 'Each path and query has a counter of its own', 'allOperations'], 'LIMIT-5'),
  violates(
    ['content-length-in-the-key', 'Requests are counted by their length, too', 'allOperations'],
    'LIMIT-5',
    'RATE-7',
  ),
  violates(['retry-after-half', 'Retry-After is half of the wait', 'retry'], 'RETRY-3'),
  violates(['retry-after-zero', 'Retry-After is always 0', 'retry'], 'RETRY-3'),
  doubtful(['retry-after-milliseconds', 'Retry-After is in milliseconds', 'retry'], 'RETRY-2'),
  doubtful(
    ['retry-after-duration-number', 'Retry-After is a time.Duration as a number: nanoseconds', 'retry'],
    'RETRY-2',
  ),
  doubtful(['retry-after-unix-time', 'Retry-After is a Unix timestamp', 'retry'], 'RETRY-2'),
  missed(
    doubtful(
      ['retry-after-local-date-as-gmt', 'Retry-After is the local time of CET, labelled GMT', 'retry'],
      'RETRY-2',
      'LIMIT-4',
    ),
    'A wait of an hour may be a penalty, so the run is incomplete: it does not wait for so long.',
  ),
  violates(
    ['retry-after-local-date-behind', 'Retry-After is the local time of New York, labelled GMT', 'retry'],
    'RETRY-2',
    'RETRY-3',
  ),
  violates(['retry-after-rfc3339', 'Retry-After is a date of RFC 3339', 'retry'], 'RETRY-2'),
  violates(['limit-with-policy', 'Limit is "60, 60;w=60", as in a draft of the IETF', 'limit'], 'RATE-5'),
  violates(['limit-of-pro', 'Limit is that of Pro', 'limit'], 'RATE-5'),
  violates(['limit-per-second', 'Limit is the rate of a second, 1', 'limit'], 'RATE-5'),
  violates(['headers-as-floats', 'Remaining is written as a float, "59.0"', 'remaining'], 'RATE-6'),
  violates(['headers-added-twice', 'Two middlewares add a Remaining each', 'remaining'], 'RATE-1'),
  doubtful(['headers-added-twice-the-same', 'Two middlewares add the same Remaining', 'remaining'], 'RATE-1'),
  violates(['reset-as-http-date', 'Reset is an HTTP-date', 'reset'], 'RATE-9'),
  violates(['reset-in-nanoseconds', 'Reset is in nanoseconds', 'reset'], 'RATE-9'),
  violates(
    ['remaining-underflows', 'The Remaining of a 429 is 2^64 - 1, an unsigned 0 - 1', 'remaining'],
    'RATE-6',
  ),
  violates(['remaining-by-tens', 'Remaining is rounded down to tens', 'remaining'], 'RATE-7'),
  violates(['remaining-in-percent', 'Remaining is a percentage', 'remaining'], 'RATE-6', 'RATE-7', 'RATE-8'),
  violates(['headers-not-on-429', 'A 429 has no X-RateLimit headers', 'every'], 'RATE-4'),
  violates(
    ['get-then-set', 'The count is read, and written 5 ms later: not atomic', 'exceeds'],
    'LIMIT-6',
    'LIMIT-1',
    'RATE-7',
  ),
  violates(['limited-with-503', 'A request beyond the limit gets 503', 'exceeds'], 'LIMIT-3'),
];
