import type { Break } from './break.ts';
import { doubtful, leavesOpen, missed, violates } from './break.ts';

/** What a reviewer of services in Rust looks for. */
export const axumBreaks: readonly Break[] = [
  leavesOpen('null-description-accepted', 'A description may be null (Option<String>)', 'open'),
  violates(['errors-empty', 'Errors have no body (StatusCode::into_response)', 'error'], 'ERR-1', 'ERR-2'),
  violates(['status-as-string', 'status is a string', 'status'], 'ERR-1', 'ERR-2'),
  violates(['message-as-list', 'message is a list of messages', 'message'], 'ERR-1', 'ERR-2'),
  violates(['code-is-null-on-401', 'code is null on 401', 'code'], 'ERR-2'),
  violates(['scheme-ignored', 'The scheme is not compared', 'form'], 'AUTH-4'),
  leavesOpen('key-trimmed-of-dashes', 'Dashes around the key are trimmed', 'open'),
  violates(['key-contains', 'Any part of a key is accepted', 'invalid'], 'AUTH-3'),
  violates(
    [
      'key-compared-to-length-of-key',
      'Only the bytes of the key are compared, so a longer one is accepted',
      'invalid',
    ],
    'AUTH-3',
  ),
  violates(
    ['key-compared-by-length', 'Any token of the right length is accepted', 'invalid'],
    'AUTH-2',
    'AUTH-3',
  ),
  violates(['limit-by-real-ip', 'X-Real-IP is part of the key of governor', 'limit'], 'LIMIT-8'),
  violates(['limit-by-path', 'governor is keyed by path', 'allOperations'], 'LIMIT-5'),
  violates(
    ['creations-not-limited', 'POST bypasses the limiter', 'allOperations'],
    'RATE-1',
    'RATE-2',
    'LIMIT-5',
  ),
  violates(['day-not-enforced', 'There is no limit per day', 'plans'], 'LIMIT-9'),
  violates(['headers-on-success-only', 'A 429 has no X-RateLimit headers', 'every'], 'RATE-4'),
  violates(['remaining-before-429-only', 'A 429 has no X-RateLimit-Remaining', 'every'], 'RATE-4'),
  violates(['remaining-as-float', 'Remaining is written as 59.0', 'remaining'], 'RATE-6'),
  violates(['limit-with-policy', 'Limit is written as "60;w=60"', 'limit'], 'RATE-5'),
  violates(['reset-as-date', 'Reset is an ISO 8601 date', 'reset'], 'RATE-9'),
  violates(['reset-rounded-to-past', 'Reset lies five seconds in the past', 'reset'], 'RATE-9'),
  missed(
    doubtful(
      ['retry-after-floor', 'wait_time_from().as_secs(): Retry-After is always 0', 'retry'],
      'RETRY-3',
      'RETRY-4',
    ),
    'In a minute of six seconds a request comes back within a tenth of a second. With thirty seconds RETRY-4 warns.',
  ),
  violates(['retry-after-debug', 'Retry-After is the Debug text of a Duration', 'retry'], 'RETRY-2'),
  violates(['pets-open', 'GET /pets/{petId} is served without a key', 'bearer'], 'AUTH-5'),
  violates(['post-open', 'POST is served without a key', 'bearer'], 'AUTH-1', 'AUTH-2'),
  doubtful(['shed-under-load', 'Of six lists at a time three get 503', 'list'], 'LIST-1', 'HTTP-4'),
  doubtful(['one-behind', 'Each list shows the state of the list before it', 'list'], 'LIST-3'),
  violates(
    ['descriptions-left-out-of-lists', 'Lists have no descriptions', 'newCategory'],
    'LIST-3',
    'CAT-4',
  ),
  leavesOpen(
    'duplicates-by-lower-case-merged',
    'Lists merge neighbours whose names differ in case only',
    'bounds',
  ),
  violates(['ids-as-u32', 'Ids beyond 2^53 are cut to 32 bits in lists', 'integer'], 'CAT-4', 'LIST-3'),
  leavesOpen('ids-beyond-2-53', 'Ids begin at 2^53 + 1', 'integer'),
  violates(['name-lower-case', 'Names are stored in lower case', 'newCategory'], 'CREATE-3'),
  leavesOpen('name-trimmed', 'Names are trimmed', 'open'),
  doubtful(['name-cut-after-50', 'Names are cut after 50 characters', 'newCategory'], 'CREATE-3'),
  violates(['name-ascii-only', 'Characters beyond ASCII are dropped', 'newCategory'], 'CREATE-3'),
  violates(['name-slug', 'Blanks in names become hyphens', 'newCategory'], 'CREATE-3'),
  leavesOpen('line-breaks-lost', 'A line break in a name becomes a blank', 'open'),
  doubtful(['type-compared-exactly', 'application/json; charset=utf-8 gets 415', 'json'], 'MEDIA-3'),
  violates(['serde-422', 'Invalid bodies get axum’s 422 in plain text', 'rejected'], 'CREATE-4'),
  doubtful(
    [
      'panic-poisons-lock',
      'A name of more than 100 characters poisons a lock; all later requests get 500',
      'list',
    ],
    'LIST-1',
    'HTTP-4',
  ),
  violates(
    ['id-of-new-is-zero', 'The 201 has the id 0, read before the insertion', 'created'],
    'CREATE-11',
    'LIST-3',
    'CAT-4',
  ),
  violates(
    ['description-swapped-when-stored', 'The name is stored as description', 'newCategory'],
    'CAT-4',
    'LIST-3',
  ),
  violates(
    ['limit-after-authentication', 'The layers are in the wrong order: a 401 has no headers', 'every'],
    'RATE-3',
  ),
];
