import type { Break } from './break.ts';
import { doubtful, leavesOpen, missed, violates } from './break.ts';

/** Plugins, rules and limiters that conform. */
const conforming: readonly Break[] = [
  leavesOpen('compressed', 'The plugin Compression', 'open'),
  leavesOpen('auto-head', 'The plugin AutoHeadResponse', 'open'),
  leavesOpen('cors', 'The plugin CORS with anyHost', 'open'),
  leavesOpen('pretty', 'JSON of several lines, and no Content-Length', 'open'),
  leavesOpen('list-304', 'Lists have an ETag, and 304 where a client has it', 'open'),
  leavesOpen('slow-list', 'A list takes 80 ms', 'open'),
  leavesOpen('unknown-rejected', 'ignoreUnknownKeys = false', 'open'),
  leavesOpen('unique-409', 'Names are unique: a second one gets 409', 'bounds'),
  leavesOpen('unique-ignoring-case-400', 'Names are unique in any case: a second one gets 400', 'bounds'),
  leavesOpen('name-to-30', 'Names have 30 characters at most', 'bounds'),
  leavesOpen('name-pattern', 'Names have letters, digits, blanks, _ and - only', 'bounds'),
  leavesOpen('description-to-40', 'Descriptions have 40 characters at most', 'bounds'),
  leavesOpen('trimmed', 'trim()', 'bounds'),
  leavesOpen('nfc', 'Texts are stored in NFC', 'bounds'),
  leavesOpen('ids-from-2-53', 'Ids begin with 2^53 + 1', 'open'),
  leavesOpen('ids-negative', 'Ids are negative', 'open'),
  leavesOpen('dated', 'Categories have a date and a list besides', 'open'),
  leavesOpen('429-text', 'The body of a 429 is text', 'open'),
  leavesOpen('429-as-shipped', 'The plugin’s 429 without a body', 'open'),
  leavesOpen('log', 'The limiter is a sliding log', 'open'),
  leavesOpen('aligned', 'Windows are aligned to the clock', 'open'),
  leavesOpen('bucket', 'The limiter is a token bucket', 'open'),
  leavesOpen('bucket-in-six-pieces', 'The bucket is refilled six times a minute', 'open'),
  leavesOpen('bucket-of-twenty', 'The bucket holds twenty requests', 'open'),
  leavesOpen(
    'twenty-and-a-window',
    'The same with a Retry-After of a minute, while Reset names the next token',
    'open',
  ),
  leavesOpen('anonymous-by-30', 'Thirty requests a minute without a key', 'open'),
  leavesOpen('bans', 'Five requests beyond the limit ban a key', 'open'),
  leavesOpen('day-in-headers', 'Headers describe the day, those of a 429 the minute', 'open'),
  leavesOpen('reset-and-one', 'Reset is rounded down plus one', 'open'),
  leavesOpen('retry-after-date', 'Retry-After is a date', 'open'),
  leavesOpen('retry-after-everywhere', 'Every response has Retry-After', 'open'),
  leavesOpen('key-ignoring-case', 'Keys are compared in any case', 'open'),
  doubtful(['no-date', 'No plugin DefaultHeaders: the server sends no Date', 'open'], 'HTTP-2'),
  doubtful(['json-only', 'Other media types get 415, an absent body too', 'rejected'], 'CREATE-8'),
];

/** What StatusPages, Authentication and kotlinx.serialization do as shipped. */
const asShipped: readonly Break[] = [
  violates(
    ['errors-as-shipped', 'Without StatusPages: errors have no body, or 500', 'error'],
    'ERR-2',
    'CREATE-5',
  ),
  violates(
    ['serialization-500', 'SerializationException is not mapped: 500', 'rejected'],
    'CREATE-4',
    'CREATE-9',
  ),
  violates(['401-as-shipped', 'bearer { } answers 401 without a body', 'invalid'], 'ERR-2'),
  violates(
    ['limits-after-key', 'The limiter is within authenticate { }: 401 without headers', 'every'],
    'RATE-3',
  ),
  violates(['lenient', 'isLenient = true: numbers are texts', 'rejected'], 'CREATE-5', 'CREATE-6'),
  violates(['loose', 'val name: String = "": a body without a name', 'rejected'], 'CREATE-4'),
  doubtful(['null-description', 'encodeDefaults and explicitNulls', 'description'], 'CAT-3'),
];

const stored: readonly Break[] = [
  violates(['distinct-names', 'distinctBy { it.name }', 'list'], 'LIST-3'),
  violates(['distinct-ignoring-case', 'distinctBy with trim().lowercase()', 'list'], 'LIST-3'),
  violates(['take-twenty', 'take(20)', 'list'], 'LIST-3'),
  violates(['take-last-fifteen', 'takeLast(15)', 'list'], 'LIST-3'),
  violates(['filter-not-null', 'Lists omit categories without a description', 'list'], 'LIST-3'),
  violates(['first-is-lost', 'drop(1)', 'list'], 'LIST-3'),
  violates(['wrapped', 'mapOf("categories" to all)', 'list'], 'LIST-2'),
  violates(['ids-as-text-in-list', 'Ids are texts in lists', 'integer'], 'CAT-1'),
  violates(
    ['not-stored-without-description', 'A category without a description is not stored', 'list'],
    'LIST-3',
  ),
  violates(['200-for-created', 'respond(made) without a status', 'created'], 'CREATE-1'),
  violates(['201-without-body', 'respond(HttpStatusCode.Created)', 'created'], 'CREATE-3'),
  violates(['escaped-html', 'escapeHTML()', 'created'], 'CREATE-3'),
  violates(['capitalized', 'replaceFirstChar { it.uppercase() }', 'created'], 'CREATE-3'),
  violates(['nfkc', 'Normalizer.Form.NFKC', 'created'], 'CREATE-3'),
  violates(['latin-1', 'toByteArray(Charsets.ISO_8859_1)', 'created'], 'CREATE-3'),
  violates(['url-decoded', 'decodeURLQueryComponent', 'created'], 'CREATE-3'),
  violates(['take-24', 'take(24)', 'created'], 'CREATE-3'),
  missed(
    violates(['trim-indent', 'trimIndent()', 'created'], 'CREATE-3'),
    'No text of a run has several lines that begin with blanks, and blanks around a text may be cut off.',
  ),
  doubtful(['ids-racy', 'The greatest id + 1, computed by two creations at a time', 'id'], 'CREATE-11'),
  doubtful(['ids-racy-409', 'The same, where the second one gets 409', 'created'], 'CREATE-1'),
];

const limits: readonly Break[] = [
  violates(['by-path', 'A limit for each path', 'allOperations'], 'LIMIT-5'),
  violates(['by-method', 'A limit for each method', 'allOperations'], 'LIMIT-5'),
  violates(['by-agent', 'requestKey is the User-Agent', 'allOperations'], 'LIMIT-8'),
  violates(['by-forwarded', 'requestKey is X-Forwarded-For', 'limit'], 'LIMIT-7', 'LIMIT-8'),
  doubtful(['by-header', 'requestKey is the Authorization header as it was sent', 'limit'], 'LIMIT-8'),
  violates(['post-free', 'requestWeight is 0 for POST', 'remaining'], 'RATE-7'),
  violates(['post-costs-two', 'requestWeight is 2 for POST', 'remaining'], 'RATE-7'),
  violates(['remaining-before', 'Remaining is that before the request', 'remaining'], 'RATE-8'),
  missed(
    violates(['forgotten', 'The limiter of a key is dropped after a third of a minute', 'reset'], 'RATE-9'),
    'No more than the limit was accepted before the Reset that was announced, so RATE-9 warns.',
  ),
  missed(
    violates(['refill-half', 'refillPeriod is 30 seconds', 'plans'], 'LIMIT-4'),
    'The allowance of two seconds for clocks hides it in a minute of six seconds.',
  ),
  violates(['headers-only-on-success', 'A 429 has no headers', 'every'], 'RATE-4'),
  violates(['limit-with-window', 'Limit is "60, 60;w=60"', 'limit'], 'RATE-5', 'RATE-6'),
  violates(['reset-in-ms', 'Reset in milliseconds', 'reset'], 'RATE-9'),
  violates(['reset-seconds-left', 'Reset in seconds left', 'reset'], 'RATE-9'),
  violates(['reset-iso', 'Reset as Instant.toString()', 'reset'], 'RATE-9'),
  missed(
    violates(['reset-is-now', 'Reset is the present time', 'reset'], 'RATE-9'),
    'A bucket that names its next request, with a Retry-After of more than it needs, shows the same.',
  ),
  violates(['retry-after-missing', 'A 429 without Retry-After', 'retry'], 'RETRY-1'),
  violates(['retry-after-local-date', 'Retry-After is a date in +01:00', 'retry'], 'RETRY-2'),
  violates(['retry-after-fraction', 'Retry-After with a fraction', 'retry'], 'RETRY-2'),
  violates(['retry-after-duration', 'Retry-After as Duration.toString()', 'retry'], 'RETRY-2'),
  doubtful(
    ['retry-after-ms', 'Retry-After in milliseconds', 'retry'],
    'RETRY-2',
    'RETRY-3',
    'RETRY-4',
    'RATE-9',
  ),
  doubtful(['retry-after-floor', 'Retry-After is rounded down', 'retry'], 'RETRY-4'),
  violates(['retry-after-one', 'Retry-After is always 1', 'retry'], 'RETRY-3'),
];

/** What goes wrong with the plugins of Ktor. */
export const ktorBreaks: readonly Break[] = [
  ...conforming,
  ...asShipped,
  ...stored,
  ...limits,
  violates(['key-starts-with', 'A beginning of a key is a key', 'invalid'], 'AUTH-3'),
];
