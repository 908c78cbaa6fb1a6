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
  violates(['not-stored', 'Creations are answered 201 and not stored', 'list'], 'LIST-3'),
];
