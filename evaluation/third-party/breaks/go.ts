import type { Break } from './break.ts';
import { doubtful, leavesOpen, missed, violates } from './break.ts';

/** What a reviewer of services in Go looks for. */
export const goBreaks: readonly Break[] = [
  violates(['type-sniffed', 'net/http guesses the Content-Type of JSON: text/plain', 'json'], 'MEDIA-1'),
  violates(['plain-http-error', 'Errors are the plain text of http.Error', 'error'], 'MEDIA-1', 'ERR-1'),
  violates(['errors-wrapped', 'Errors are members of an object "error"', 'error'], 'ERR-1', 'ERR-2'),
  violates(['status-as-text', 'status in the body of a 400 is "Bad Request"', 'status'], 'ERR-1'),
  violates(['status-omitted-when-400', 'The body of a 400 has no status', 'status'], 'ERR-1'),
  violates(['any-scheme', 'The word before the key is not read, so Basic is accepted', 'form'], 'AUTH-4'),
  violates(['key-in-query', 'The key is accepted as ?api_key=', 'form'], 'AUTH-4'),
  violates(['key-by-prefix', 'The first eight bytes of a key are enough', 'invalid'], 'AUTH-3'),
  violates(['key-extended', 'A key with more bytes after it is accepted', 'invalid'], 'AUTH-3'),
  leavesOpen('key-case-folded', 'Keys are compared with strings.EqualFold', 'open'),
  doubtful(
    ['head-and-options-open', 'HEAD and OPTIONS are served without a key', 'bearer'],
    'AUTH-1',
    'AUTH-5',
  ),
  violates(['reads-open', 'GET /store/orders is served without a key', 'bearer'], 'AUTH-5'),
  violates(['limit-by-address', 'httprate counts by address (LimitByIP)', 'limit'], 'LIMIT-7'),
  missed(
    violates(['limit-by-real-ip', 'httprate counts by X-Real-IP', 'limit'], 'LIMIT-8', 'LIMIT-7'),
    'The two counters that alternate look like another client of the key. With --exclusive-key RATE-7, LIMIT-2 and LIMIT-7 fail.',
  ),
  violates(['limit-by-endpoint', 'httprate counts each path (KeyByEndpoint)', 'allOperations'], 'LIMIT-5'),
  violates(['limit-by-method', 'Each method has a counter of its own', 'allOperations'], 'LIMIT-5'),
  violates(['limit-behind-authentication', 'The limiter runs after authentication', 'every'], 'RATE-3'),
  violates(
    ['retry-after-duration', 'Retry-After is a time.Duration as text, such as "6s"', 'retry'],
    'RETRY-2',
  ),
  violates(['day-not-enforced', 'There is no limit per day', 'plans'], 'LIMIT-9'),
  doubtful(
    [
      'capacity-throttle',
      'chi’s Throttle answers 429 for more than three requests at a time, without headers',
      'every',
    ],
    'RATE-4',
    'RETRY-1',
    'LIMIT-2',
  ),
  doubtful(['list-cached', 'The list is cached for 20 s and never invalidated', 'list'], 'LIST-3'),
  violates(
    ['not-modified-unasked', 'A list that has not changed gets 304 without a condition', 'list'],
    'LIST-1',
  ),
  leavesOpen('etag-on-lists', 'Lists have an ETag, and If-None-Match gets 304', 'open'),
  doubtful(['created-twice', 'A gateway sends each creation twice', 'created'], 'CREATE-14'),
  violates(['list-null-when-empty', 'The list of no categories is null, a nil slice', 'list'], 'LIST-2'),
  violates(
    ['list-first-ten', 'The list ends after ten categories, without a link to the others', 'list'],
    'LIST-3',
  ),
  violates(['list-newest-ten', 'The list has only the ten newest categories', 'list'], 'LIST-3'),
  violates(['list-wrapped', 'The list is a member "data" of an object', 'list'], 'LIST-2'),
  doubtful(['list-gzipped', 'The list is compressed although identity was asked for', 'json'], 'MEDIA-1'),
  leavesOpen('list-in-public-cache', 'Lists are sent with Cache-Control: public', 'open'),
  doubtful(
    ['first-value-only', 'Text after the JSON value is ignored (json.Decoder)', 'rejected'],
    'CREATE-9',
  ),
  missed(
    doubtful(['names-in-any-case', 'encoding/json matches {"NAME": …} with name', 'rejected'], 'CREATE-4'),
    'A certificate of a Free key has no request left for a body with NAME in place of name.',
  ),
  violates(['null-is-zero', 'A name that is null or absent becomes ""', 'rejected'], 'CREATE-4', 'CREATE-5'),
  violates(
    ['empty-description-dropped', 'An empty description is not stored (omitempty)', 'newCategory'],
    'CREATE-3',
    'CAT-4',
  ),
  doubtful(
    ['ids-race', 'The next id is read without the lock, so two creations at a time share one', 'id'],
    'CREATE-11',
  ),
  leavesOpen('ids-in-nanoseconds', 'Ids are times in nanoseconds, beyond 2^53', 'integer'),
  violates(
    ['name-cut-at-bytes', 'Names are cut after twelve bytes, within a character', 'newCategory'],
    'CREATE-3',
  ),
  violates(['not-stored', 'Creations return 201 and are not stored', 'list'], 'LIST-3'),
];

/** What goes wrong in services with gin, gorm and tollbooth. */
export const ginBreaks: readonly Break[] = [
  leavesOpen('pure-json', 'c.PureJSON: <, > and & are not escaped', 'open'),
  leavesOpen('unknown-disallowed', 'Unknown fields get 400', 'open'),
  leavesOpen('slashes-redirected', 'Other spellings of a path are redirected', 'open'),
  leavesOpen('method-not-allowed', 'Other methods get 405', 'open'),
  leavesOpen('first-or-create', 'A creation of a name that exists returns that category', 'bounds'),
  leavesOpen('many-connections', 'Each request has a connection to SQLite', 'open'),
  leavesOpen('ids-of-snowflake', 'Ids are nanoseconds, beyond 2^53', 'open'),
  leavesOpen('burst-of-ten', 'The bucket holds ten requests', 'open'),
  leavesOpen('burst-as-shipped', 'The bucket holds the requests of a second, as tollbooth ships it', 'open'),
  leavesOpen('message-as-shipped', 'A 429 is the plain text of tollbooth', 'open'),
  violates(['ascii-json', 'c.AsciiJSON writes U+1F408 as \\u1f408', 'list'], 'LIST-3', 'CAT-4'),
  violates(['secure-json', 'c.SecureJSON writes while(1); before arrays', 'json'], 'MEDIA-1', 'LIST-2'),
  violates(
    ['through-map', 'Lists go through a map of interfaces: ids become float64', 'id'],
    'CAT-4',
    'LIST-3',
  ),
  violates(['one-variable-for-all', 'Every item of the list points to one variable', 'list'], 'LIST-3'),
  violates(
    ['abort-forgotten', 'A 401 is written with c.JSON, and the handler runs as well', 'invalid'],
    'ERR-2',
    'MEDIA-1',
    'CREATE-10',
  ),
  violates(
    ['return-forgotten', 'A 400 is written, and the category is created as well', 'rejected'],
    'CREATE-10',
    'MEDIA-1',
  ),
  violates(['bind-aborts', 'c.BindJSON declares its 400 as plain text', 'json'], 'MEDIA-1'),
  doubtful(['should-bind-json', 'c.ShouldBindJSON ignores text after the JSON', 'rejected'], 'CREATE-9'),
  violates(['body-variable-reused', 'Bodies are decoded into one variable', 'rejected'], 'CREATE-4'),
  violates(
    ['nil-dereferenced', 'A body without a name creates a category without one', 'rejected'],
    'CREATE-4',
  ),
  violates(
    ['empty-is-default', 'An empty description becomes the default of the column', 'created'],
    'CREATE-3',
  ),
  violates(['logged-description', 'An absent description is dereferenced: 500', 'newCategory'], 'CREATE-2'),
  violates(
    ['appended-without-lock', 'Creations at the same time append to copies of one slice', 'list'],
    'LIST-3',
  ),
  violates(['list-before-use', 'The list is routed before Use, so no limiter sees it', 'every'], 'RATE-1'),
  violates(['headers-after-handler', 'The limiter runs after the handler', 'every'], 'RATE-1', 'LIMIT-3'),
  violates(
    ['evicted-after-a-second', 'A bucket is forgotten after a second', 'exceeds'],
    'LIMIT-1',
    'LIMIT-6',
    'RATE-7',
  ),
  violates(['keyed-by-path', 'Each path has a bucket of its own', 'allOperations'], 'LIMIT-5'),
  missed(
    violates(['remaining-rounded', 'Remaining is rounded to fives', 'remaining'], 'RATE-7', 'RATE-8'),
    'In a minute of six seconds the bucket gives back as many as the rounding hides. With thirty seconds RATE-7 fails.',
  ),
  violates(['reset-as-duration', 'Reset is a time.Duration, "6s"', 'reset'], 'RATE-9'),
  violates(['retry-after-as-duration', 'Retry-After is a time.Duration, "1s"', 'retry'], 'RETRY-2'),
  violates(['as-shipped-headers', 'X-Rate-Limit-Duration in place of X-RateLimit-Reset', 'every'], 'RATE-1'),
];

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
