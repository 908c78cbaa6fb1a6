import { BAN, BEARER, BEYOND, HEADERS, LIMIT, PLANS, REMAINING, RETRY_AFTER } from './quotes.ts';
import { chapter, quote } from './statement.ts';

const JSON_BODIES = quote(
  'endpoints',
  'All requests and responses that carry a body use `application/json`.',
);
const INVALID_KEY = quote(
  'authentication',
  'When the key is missing or invalid, the service answers 401 with an Error body.',
);
const HTTP_INTERFACE = quote(
  'what-the-service-does',
  'The service is an HTTP/JSON interface for a pet store.',
);
const LIST = quote('list-categories', '200: JSON array of Category objects (all categories)');
const CREATED = quote('create-a-category', '201: JSON Category, including the assigned `id`');
const NEW_CATEGORY = quote(
  'create-a-category',
  'required, JSON NewCategory (`name` required, `description` optional)',
);
const INVALID_BODY = quote(
  'create-a-category',
  '400 (Error body) when the body lacks required fields or holds invalid values',
);
const ASSIGNED_ID = quote(
  'category-returned-by-the-service',
  'Assigned by the service on creation. Not supplied by the client.',
);

const media = chapter('Media and HTTP', 'by certify');
const list = chapter('List categories', 'by certify');
const create = chapter('Create a category', 'by certify');
const schemas = chapter('Category and Error schemas', 'by certify');
const authentication = chapter('Authentication', 'by certify');
const headers = chapter('Rate-limit headers', 'by certify');
const limits = chapter('Limit enforcement', 'by certify');
const retries = chapter('Retry-After and ban', 'by certify');
const versions = chapter('Version and deprecation', 'by certify');

/** What `certify` tests. */
export const service = [
  media.must(
    'MEDIA-1',
    'Every documented response with a body (200, 201, 400, 401) is `application/json` (parameters allowed) and parses as JSON.',
    JSON_BODIES,
  ),
  media.should(
    'MEDIA-2',
    'If a 429 response has a body, it is JSON (the specification requires JSON for every body, but does not show the body of a 429).',
    JSON_BODIES,
  ),
  media.should(
    'MEDIA-3',
    'A request body sent as `application/json; charset=utf-8` is accepted.',
    JSON_BODIES,
    'RFC 8259 §11',
  ),
  media.should(
    'HTTP-1',
    'Every 401 response has `WWW-Authenticate` (RFC 9110 §11.6.1).',
    INVALID_KEY,
    'RFC 9110 §11.6.1',
  ),
  media.should('HTTP-2', 'Every response has `Date` (RFC 9110 §6.6.1).', HTTP_INTERFACE, 'RFC 9110 §6.6.1'),
  media.should('HTTP-3', 'No 429 response allows a cache to store it (RFC 6585 §4).', BEYOND, 'RFC 6585 §4'),
  media.should(
    'HTTP-4',
    'No request of the run, however malformed, receives a 5xx response or a dropped connection.',
    HTTP_INTERFACE,
    'RFC 9110 §15.6',
  ),

  list.must('LIST-1', '`GET /categories` with a valid key returns 200.', LIST),
  list.must('LIST-2', 'The body of the list is a JSON array, and every item is a Category.', LIST),
  list.must(
    'LIST-3',
    'Every complete list contains each category whose creation returned 201 before, with the id, `name` and `description` of its creation (`warn`: a list within nine tenths of a window lacks it, and a later one contains it, because the specification does not say how soon a category is listed).',
    LIST,
  ),
  list.observe(
    'LIST-4',
    'Pagination, filtering, ordering.',
    quote('list-categories', 'Pagination, filtering and ordering of the list: not shown.'),
  ),

  create.must('CREATE-1', 'A NewCategory with `name` and `description` returns 201.', CREATED),
  create.must('CREATE-2', 'A NewCategory with only `name` returns 201.', NEW_CATEGORY),
  create.must(
    'CREATE-3',
    'The 201 body is a Category with the `name` and `description` that were sent, character by character. White space around them may be cut off. `warn`: canonically equal text in NFC, other line ends, fewer blanks inside, or a name of 1,000 characters that was cut.',
    quote('newcategory-sent-by-the-client-on-creation', 'A Category is a NewCategory plus `id`.'),
  ),
  create.must('CREATE-4', 'A body without `name` returns 400.', INVALID_BODY),
  create.must(
    'CREATE-5',
    'A `name` that is not a string returns 400 (number, boolean, null, array, object).',
    INVALID_BODY,
  ),
  create.must(
    'CREATE-6',
    'A `description` that is not a string returns 400 (number, boolean, array, object; null is only observed).',
    INVALID_BODY,
  ),
  create.must(
    'CREATE-7',
    'A JSON body that is not an object returns 400 (array, string, number, null).',
    NEW_CATEGORY,
  ),
  create.must('CREATE-8', 'An absent body returns 400 (411, 415 or 422: `warn`).', NEW_CATEGORY),
  create.must(
    'CREATE-9',
    'Malformed JSON returns 400 (411, 415 or 422, or acceptance of JSON with text after it: `warn`).',
    INVALID_BODY,
    'RFC 9110 §15.5.1',
  ),
  create.must('CREATE-10', 'A creation that returns 400 or 401 creates nothing.', CREATED),
  // A SHOULD: "Length bounds and uniqueness rules of category fields: not shown", and the id is one of these fields.
  create.should('CREATE-11', 'Two creations get different ids.', ASSIGNED_ID),
  // A MUST: both sentences of the quote are rules of the field. An adopted id was assigned by the client, and supplied by it.
  create.must(
    'CREATE-12',
    'The service assigns the id, and does not adopt an id that the client sends: it ignores the id or rejects the body.',
    ASSIGNED_ID,
  ),
  create.observe(
    'CREATE-13',
    'Empty or blank names, length bounds, permitted characters, white space around texts, duplicate names, unknown fields, duplicate JSON keys, other content types, byte order mark, control characters, very large bodies.',
    quote(
      'error-body-of-error-responses',
      'Length bounds and uniqueness rules of category fields: not shown.',
    ),
  ),
  // A SHOULD: the specification does not say in so many words that one request creates one category.
  create.should('CREATE-14', 'A creation that returns 201 creates one category.', CREATED),

  schemas.must(
    'CAT-1',
    'Every category has an `id` that is an integer in the int64 range (judged by its JSON text, so that no digit is lost above 2^53).',
    quote('category-returned-by-the-service', '| id | integer | int64 | yes |'),
  ),
  schemas.must(
    'CAT-2',
    'Every category has a `name` that is a string.',
    quote('category-returned-by-the-service', '| name | string | none | yes | The category name. |'),
  ),
  schemas.must(
    'CAT-3',
    'If a category has a `description`, it is a string (null: `warn`).',
    quote(
      'category-returned-by-the-service',
      '| description | string | none | no | A short description of the category. |',
    ),
  ),
  schemas.must(
    'CAT-4',
    'A category has the same `id`, `name` and `description` in the 201 response and in the list.',
    LIST,
  ),
  schemas.must(
    'ERR-1',
    'Every 400 response has an Error body: `code` and `message` as strings, `status` as an integer.',
    quote('errors', 'Error responses carry the Error body (`code`, `message`, `status`).'),
  ),
  schemas.must('ERR-2', 'Every 401 response has an Error body.', INVALID_KEY),
  schemas.must(
    'ERR-3',
    'The `status` in an Error body is the HTTP status code of the response.',
    quote('error-body-of-error-responses', '| status | integer | yes | The HTTP status code. |'),
  ),
  schemas.should(
    'ERR-4',
    '`code` is machine-readable: it is not empty, and is the same for the same condition.',
    quote('error-body-of-error-responses', '| code | string | yes | Machine-readable error code. |'),
  ),
  schemas.observe(
    'ERR-5',
    'The body of a 429 response; the set of codes.',
    quote('errors', 'The set of `code` values: not shown.'),
  ),

  authentication.must(
    'AUTH-1',
    'A request without `Authorization` returns 401 (`GET` and `POST /categories`).',
    INVALID_KEY,
  ),
  authentication.must(
    'AUTH-2',
    'A request with an unknown key returns 401 (`GET` and `POST /categories`).',
    INVALID_KEY,
  ),
  authentication.must(
    'AUTH-3',
    'A key that is almost the valid one (truncated, extended) returns 401.',
    INVALID_KEY,
  ),
  authentication.must(
    'AUTH-4',
    'The key is valid only as `Authorization: Bearer`: as Basic, without a scheme, in the query string, in a cookie or in another header it returns 401.',
    BEARER,
  ),
  authentication.must(
    'AUTH-5',
    'Without a valid key, `GET /store/orders` and `GET /pets/{petId}` never return 2xx. Where they exist (2xx or 501 with the key), they return 401; where they do not (404), this is `not-tested`. They are sent before and after a request with the key, because a cache may answer the later ones.',
    quote('what-the-service-does', 'All operations require authentication (see Authentication).'),
  ),
  authentication.should(
    'AUTH-6',
    'Authentication precedes validation: an invalid body without a key returns 401.',
    quote('authentication', 'Every operation requires a bearer credential'),
  ),
  authentication.observe(
    'AUTH-7',
    '`bearer` in lower case, repeated Authorization headers, surrounding white space, a key in another case.',
    quote('authentication', 'The scheme is HTTP bearer.'),
    'RFC 9110 §11.1',
  ),

  headers.must(
    'RATE-1',
    'Every 200 and 201 response has `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, each once (a line repeated with the same value: `warn`).',
    HEADERS,
  ),
  headers.must('RATE-2', 'Every 400 response has all three X-RateLimit headers.', HEADERS),
  headers.must('RATE-3', 'Every 401 response has all three X-RateLimit headers.', HEADERS),
  headers.must('RATE-4', 'Every 429 response has all three X-RateLimit headers.', HEADERS),
  headers.must(
    'RATE-5',
    'Limit is a whole number and, for a known key, the per-minute or per-day limit of its plan.',
    LIMIT,
  ),
  headers.must('RATE-6', 'Remaining is a whole number between 0 and Limit.', REMAINING),
  headers.must(
    'RATE-7',
    'Remaining follows the requests of the caller: it falls with use, and by no more than was used.',
    REMAINING,
  ),
  headers.must(
    'RATE-8',
    'Remaining agrees with the limit: no 429 while Remaining is above 0, and Remaining 0 on every 429.',
    REMAINING,
  ),
  headers.must(
    'RATE-9',
    'Reset is a Unix timestamp in seconds, neither in the past nor beyond the window that Limit describes.',
    quote('rate-limit-headers', '| X-RateLimit-Reset | Unix timestamp at which the limit resets. |'),
  ),

  limits.must('LIMIT-1', "A request beyond the plan's per-minute limit is rate-limited.", BEYOND),
  limits.must('LIMIT-2', 'A client that stays below the limit never receives a 429.', PLANS),
  limits.must(
    'LIMIT-3',
    'A request beyond the limit returns 429: no other status, no 200 with an error, and no dropped connection.',
    BEYOND,
  ),
  limits.must('LIMIT-4', 'The window lasts a minute: the quota comes back neither early nor late.', PLANS),
  limits.must(
    'LIMIT-5',
    'One limit covers all operations of the caller (not one per route or method).',
    quote('errors', '| 429 | Rate limit exceeded (see Limits) | body: not shown | all operations |'),
  ),
  limits.must('LIMIT-6', 'The limit holds under concurrent requests and over several connections.', BEYOND),
  limits.must(
    'LIMIT-7',
    "Callers are isolated: requests of one caller do not use another caller's quota (needs two keys of different callers).",
    LIMIT,
  ),
  limits.must(
    'LIMIT-8',
    'The limit follows the key, not what the client can change at will (`X-Forwarded-For`, connection).',
    LIMIT,
  ),
  limits.must('LIMIT-9', 'The per-day limit is enforced (opt-in: a long run, or an exhausted key).', PLANS),
  limits.observe(
    'LIMIT-10',
    'The algorithm (fixed window aligned or from the first request, sliding log, sliding counter, token bucket), and whether 400s and 401s count: inferred and reported.',
    REMAINING,
  ),

  retries.must('RETRY-1', 'Every 429 response has `Retry-After`.', RETRY_AFTER),
  retries.must(
    'RETRY-2',
    '`Retry-After` is well formed: whole seconds or an HTTP-date (RFC 9110 §10.2.3).',
    RETRY_AFTER,
    'RFC 9110 §10.2.3',
  ),
  retries.must('RETRY-3', 'A request sent after `Retry-After` is not rate-limited again.', RETRY_AFTER),
  retries.should('RETRY-4', '`Retry-After` is not rounded down.', RETRY_AFTER, 'RFC 9110 §10.2.3'),
  retries.must(
    'BAN-1',
    'A ban of a client that keeps sending is temporary (opt-in: a disposable key; a service without bans conforms, too).',
    BAN,
  ),
  retries.must('BAN-2', 'A ban of one key does not affect another.', BAN),
  retries.observe(
    'BAN-3',
    'How a ban is signalled, after how many requests it begins, and how long it lasts.',
    BAN,
  ),

  versions.must(
    'VER-1',
    'The base address ends in the segment `/v1`.',
    quote('versioning', 'both end in the segment `/v1`'),
  ),
  versions.must(
    'VER-2',
    'An OpenAPI document that the target publishes (opt-in: its address) is valid OpenAPI 3.0.3, has version 1.0.0, and describes the operations of the specification.',
    quote('versioning', 'The interface description is version 1.0.0 and uses OpenAPI 3.0.3.'),
  ),
  versions.observe(
    'DEP-1',
    '`Deprecation` (RFC 9745) and `Sunset` (RFC 8594) on `GET /pets/{petId}` (malformed values: `warn`).',
    quote('versioning', '`GET /pets/{petId}` is deprecated and has a sunset date.'),
    'RFC 9745, RFC 8594',
  ),
  versions.observe(
    'STAB-1',
    'The stability marker of operations (experimental, beta): an extension of the published OpenAPI document such as `x-stability`, or a header of responses.',
    quote('what-the-service-does', 'Some operations carry a stability marker, experimental or beta.'),
  ),
] as const;
