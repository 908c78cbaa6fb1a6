import type { Break } from './break.ts';
import { doubtful, leavesOpen, missed, violates } from './break.ts';

/** What goes wrong in configurations of HAProxy's stick tables. */
export const haproxyBreaks: readonly Break[] = [
  leavesOpen(
    'retry-after-one-window',
    'Retry-After is one window, and the sliding counter still holds nearly all of it',
    'open',
  ),
  leavesOpen('reset-always-now', 'Reset is always the current time', 'open'),
  doubtful(['no-date', 'What HAProxy itself answers has no Date', 'open'], 'HTTP-2'),
  violates(['tracked-by-source', 'track-sc0 src: requests count by address', 'limit'], 'LIMIT-7'),
  violates(['tracked-by-url', 'track-sc0 base: each path has a counter', 'allOperations'], 'LIMIT-5'),
  violates(
    ['only-gets-tracked', 'Only GET requests are tracked', 'allOperations'],
    'LIMIT-1',
    'RATE-6',
    'RATE-7',
  ),
  violates(['deny-as-shipped', 'http-request deny deny_status 429: without Retry-After', 'retry'], 'RETRY-1'),
  violates(['deny-is-403', 'http-request deny: 403, its default', 'exceeds'], 'LIMIT-3'),
  violates(['tarpit', 'http-request tarpit: 500 after a while', 'exceeds'], 'LIMIT-3'),
  violates(['reject-connection', 'http-request reject: the connection is closed', 'exceeds'], 'LIMIT-3'),
  missed(
    violates(['silent-drop', 'http-request silent-drop: no response', 'exceeds'], 'LIMIT-3'),
    'A limiter that queues requests would not respond in time either, so the run is incomplete.',
  ),
  violates(['retry-after-one-second', 'Retry-After is always 1', 'retry'], 'RETRY-3'),
  missed(
    violates(
      ['table-of-one', 'The stick table has one entry, so another key displaces the count', 'exceeds'],
      'LIMIT-1',
      'RATE-7',
    ),
    'The other key sends while the key under test waits, and a request before Retry-After would be one more beyond the limit.',
  ),
  missed(
    violates(
      ['entries-expire-when-idle', 'An entry of the stick table ends after an idle second', 'plans'],
      'LIMIT-4',
      'LIMIT-6',
      'RATE-7',
    ),
    'The key is idle for as long as Retry-After asks. With --thorough LIMIT-6 fails in a longer window.',
  ),
  missed(
    violates(['period-halved', 'The rate is that of half a minute', 'plans'], 'LIMIT-4'),
    'Retry-After is still a window, so a run does not see that the quota came back earlier; a sliding counter shows no window.',
  ),
  violates(
    [
      'headers-from-the-backend-only',
      'http-response in place of http-after-response: 401 and 429 have no headers',
      'every',
    ],
    'RATE-3',
    'RATE-4',
  ),
  violates(['remaining-not-clamped', 'Remaining is -1 on a 429', 'remaining'], 'RATE-6'),
  doubtful(['headers-added-by-both', 'Remaining is sent twice, with the same value', 'every'], 'RATE-1'),
  violates(['one-too-many', 'The limit is 61', 'exceeds'], 'LIMIT-1'),
  violates(['one-too-few', 'The limit is 59', 'plans'], 'LIMIT-2', 'RATE-8'),
];
