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

/** What a reviewer of services behind nginx looks for. */
export const nginxBreaks: readonly Break[] = [
  leavesOpen(
    'zone-per-key-with-burst',
    'limit_req for each key with a burst of the limit is the limiter, the headers are those of the service',
    'open',
  ),
  doubtful(['zone-per-key-of-ten', 'limit_req for each key with a burst of nine', 'plans'], 'LIMIT-2'),
  leavesOpen('edge-delays', 'limit_req without nodelay: requests wait at the edge', 'open'),
  leavesOpen('upstream-http-1-0', 'nginx speaks HTTP/1.0 to the service', 'open'),
  leavesOpen('five-for-each-connection', 'keepalive_requests 5', 'open'),
  leavesOpen('idle-second', 'keepalive_timeout 1s', 'open'),
  leavesOpen('no-keep-alive', 'keepalive_timeout 0', 'open'),
  leavesOpen('gzip', 'gzip for clients that accept it', 'open'),
  leavesOpen('no-chunks', 'chunked_transfer_encoding off', 'open'),
  leavesOpen('unbuffered', 'proxy_buffering off', 'open'),
  leavesOpen('bodies-of-one-kib', 'client_max_body_size 1k: a larger body gets 413 at the edge', 'bounds'),
  leavesOpen('slashes-kept', 'merge_slashes off', 'open'),
  leavesOpen('two-workers', 'Two workers share a zone', 'open'),
  leavesOpen('preflight-at-the-edge', 'OPTIONS returns 204 at the edge', 'open'),
  leavesOpen('extra-headers', 'The edge adds request ids and security headers', 'open'),
  leavesOpen('draft-headers-besides', 'RateLimit headers of a draft besides', 'open'),
  leavesOpen('exact-location', 'location = for the list, so that other spellings meet no edge', 'open'),
  leavesOpen('orders-not-routed', 'The edge answers 404 to the orders', 'open'),
  leavesOpen('pets-redirected', 'The edge redirects the pets, with and without a key', 'open'),
  doubtful(['reset-is-now', 'Reset is $msec, a fraction', 'reset'], 'RATE-9'),
  doubtful(['four-connections', 'limit_conn 4: a fifth connection gets 429', 'plans'], 'LIMIT-2'),
  doubtful(['edge-without-burst', 'limit_req without a burst', 'plans'], 'LIMIT-2', 'RATE-8'),
  doubtful(['edge-says-503', 'limit_req without a burst, with its own status: 503', 'exceeds'], 'HTTP-4'),
  violates(
    ['edge-page', 'The 429 of nginx as shipped: a page, without headers', 'every'],
    'RATE-4',
    'RETRY-1',
  ),
  violates(['edge-guard', 'The edge checks keys, and answers 401 without headers', 'every'], 'RATE-3'),
  violates(
    ['two-uncoordinated', 'Two services behind nginx, each with its own counters and categories', 'exceeds'],
    'LIMIT-6',
    'LIMIT-1',
  ),
  violates(
    ['errors-intercepted', 'proxy_intercept_errors without the headers of the service', 'every'],
    'RATE-3',
  ),
  violates(
    [
      'errors-intercepted-with-headers',
      'proxy_intercept_errors takes the 429, too: its Retry-After is that of the edge',
      'retry',
    ],
    'RETRY-3',
  ),
  violates(['retry-after-hidden', 'proxy_hide_header Retry-After', 'retry'], 'RETRY-1'),
  violates(
    [
      'limit-added-again',
      'add_header X-RateLimit-Limit beside that of the service: two values on a 401',
      'limit',
    ],
    'RATE-3',
  ),
  doubtful(['if-is-evil', 'add_header within an if', 'every'], 'RATE-1'),
  violates(['micro-cache', 'proxy_cache by address for two seconds', 'bearer'], 'AUTH-1'),
  violates(
    [
      'micro-cache-per-key',
      'proxy_cache by address and key for two seconds: stale headers, not counted',
      'remaining',
    ],
    'RATE-7',
    'LIMIT-1',
  ),
  missed(
    violates(['cached-401', 'A 401 is cached for five seconds, for every key', 'list'], 'LIST-1'),
    'The first list with the key gets the stored 401, so the key looks invalid and the run ends.',
  ),
  violates(
    ['authorization-from-elsewhere', 'The edge takes the key from a query or a cookie', 'form'],
    'AUTH-4',
  ),
  violates(['method-forced', 'proxy_method GET', 'created'], 'CREATE-1'),
  missed(
    violates(
      ['limiter-at-the-edge-only', 'The service counts nothing, the edge limits addresses', 'exceeds'],
      'LIMIT-1',
    ),
    'On a busy machine a run sends too few requests in six seconds. With 30 seconds LIMIT-1 fails.',
  ),
];
