import type { Break } from './break.ts';
import { doubtful, leavesOpen, missed, violates } from './break.ts';

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
