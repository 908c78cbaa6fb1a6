import type { Secret } from './encodings.ts';
import type { Occurrence, Sought } from './secret-search.ts';
import { numberAround, remembering, searchFor } from './secret-search.ts';

/** What HTTP, JSON, OpenAPI and the specification write themselves: replacing it would change what a judge compares. */
const WORDS = `
GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT HTTP/1.0 HTTP/1.1
Authorization: Bearer Basic Digest Token ApiKey Negotiate Proxy-Authorization WWW-Authenticate Proxy-Authenticate
realm error_description error_uri invalid_token invalid_request insufficient_scope challenge charset="UTF-8"
Accept Accept-Charset Accept-Encoding Accept-Language Accept-Patch Accept-Post Accept-Ranges Access-Control-Allow-Origin
Access-Control-Allow-Credentials Access-Control-Allow-Headers Access-Control-Allow-Methods Access-Control-Expose-Headers
Access-Control-Max-Age Alt-Svc Api-Version Cache-Control Cache-Status Connection Content-Disposition Content-Encoding
Content-Language Content-Length Content-Location Content-Range Content-Security-Policy Content-Type Cookie Set-Cookie
Cross-Origin-Opener-Policy Cross-Origin-Resource-Policy Deprecation Expires Forwarded If-Match If-Modified-Since
If-None-Match If-Range If-Unmodified-Since Idempotency-Key Keep-Alive Last-Modified Location Max-Forwards Origin-Agent-Cluster
Permissions-Policy Pragma: no-cache Referrer-Policy Referer Retry-After Server-Timing Strict-Transport-Security Sunset
Trailer Transfer-Encoding: chunked Upgrade User-Agent Warning RateLimit-Policy RateLimit-Limit RateLimit-Remaining
RateLimit-Reset X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset X-RateLimit-Reset-After X-Rate-Limit-Limit
X-Rate-Limit-Remaining X-Rate-Limit-Reset X-API-Key X-Auth-Token X-Access-Token X-Authorization X-Forwarded-Authorization
X-Original-Authorization X-Cache-Status X-Content-Type-Options X-Correlation-ID X-Download-Options X-Forwarded-For
X-Forwarded-Host X-Forwarded-Proto X-Frame-Options X-Original-URL X-Permitted-Cross-Domain-Policies X-Powered-By: Express
X-Real-IP X-Request-ID X-Runtime X-Served-By X-Total-Count X-XSS-Protection X-HTTP-Method-Override
application/json; charset=utf-8 application/problem+json application/hal+json application/ld+json application/vnd.api+json
application/xml application/xhtml+xml application/yaml application/octet-stream application/x-www-form-urlencoded
application/openapi+json application/openapi+yaml multipart/form-data; boundary= text/plain; charset=us-ascii text/html
text/css text/event-stream text/javascript image/png image/svg+xml iso-8859-1 windows-1252
identity gzip deflate zstd compress keep-alive close no-cache no-store no-transform must-revalidate proxy-revalidate
max-age=0 s-maxage=0 public private immutable stale-while-revalidate stale-if-error timeout=5 sameorigin nosniff
localhost 127.0.0.1 petstore-conformance petstore https:// http://
Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April August September October November
December undefined null true false
Created Accepted No Content Moved Permanently Temporary Redirect Not Modified Bad Request Unauthorized Forbidden Not Found
Method Not Allowed Not Acceptable Conflict Unsupported Media Type Unprocessable Content Too Many Requests
Internal Server Error Not Implemented Bad Gateway Service Unavailable Gateway Timeout
/categories /pets/ /store/orders category description message status code name
{"id":1,"name":"a","description":"b"},{"id":2,"name":"","description":null} {"code":"a","message":"b","status":400}
openapi swagger info title version license contact servers security tags paths summary operationId listCategories
createCategory petsNamedOnly storeOrdersNamedOnly requestBody parameters responses default required content schema schemas
components headers properties additionalProperties securitySchemes scheme bearerFormat reference array object string
integer number boolean format int32 int64 minimum maximum minLength maxLength pattern example examples nullable
deprecated readOnly writeOnly discriminator externalDocs callbacks webhooks x-stability experimental x-not-shown request
response NewCategory Category CategoryList Error rateLimitHeaders RateLimited TooManyRequests BadRequest variables
production staging
`.toLowerCase();

/** Whether a text is a word of the protocol, or a part of one: such a text is no secret. */
export const isOfProtocol = (text: string): boolean => WORDS.includes(text.toLowerCase());

/** Replaces every secret in a text by its name in brackets. */
export type Redact = (text: string) => string;

/** A shorter secret is only replaced where it is no part of a longer word: it may be one of another by chance. */
const SHORTEST_IN_WORDS = 8;

/** A text that is shorter is no secret: it occurs everywhere by chance. */
const SHORTEST_SECRET = 5;

/** Of `secrets`, the longest first. Within longer words only from eight characters on. JSON stays JSON. Linear in the length of the text. */
export function redactor(secrets: readonly Secret[]): Redact {
  const named = secrets.filter(({ value }) => value.length >= SHORTEST_SECRET && !isOfProtocol(value));
  if (named.length === 0) return (text) => text;
  const sought = named.map(soughtOf);
  const occurrencesIn = searchFor(sought);
  const redact: Redact = (text) => {
    const joined = text.search(BREAK) === -1 ? text : replaced(text, wrappedIn(text));
    return replaced(joined, occurrencesIn(joined));
  };
  const redactOnce = remembering(redact, REMEMBERED.texts);
  return (text) => (text.length > REMEMBERED.characters ? redact(text) : redactOnce(text));

  /** What is found across line breaks only. A short secret does not count: it may be two words. */
  function wrappedIn(text: string): readonly Occurrence[] {
    const { joined, placeOf } = withoutBreaks(text);
    return occurrencesIn(joined).flatMap(({ start, end, which }) => {
      const [from, to] = [placeOf(start), placeOf(end - 1) + 1];
      return to - from === end - start || sought[which]?.alone === true
        ? []
        : [{ start: from, end: to, which }];
    });
  }

  function replaced(text: string, occurrences: readonly Occurrence[]): string {
    let redacted = '';
    let from = 0;
    for (const found of occurrences) {
      redacted += `${text.slice(from, found.start)}${replacementOf(text, found)}`;
      from = found.end;
    }
    return redacted + text.slice(from);
  }

  function replacementOf(text: string, { start, end, which }: Occurrence): string {
    const secret = named[which];
    if (secret === undefined) return '';
    const isLiteral = text.slice(start, end) === secret.value;
    const name = `[${isLiteral ? secret.name : (secret.escapedName ?? secret.name)}]`;
    if (!/^[0-9]+(?:, ?[0-9]+)*$/.test(secret.value)) return name;
    const number = numberAround(text, start, end);
    if (number === undefined) return name;
    if (number === 'longer') return text.slice(start, end);
    return number === 'itself' ? `-${which + 1}` : '0';
  }
}

/** Where mail, PEM and indented JSON wrap a text, literal or escaped; mail puts a sign before it (RFC 2045 §6.7). */
const BREAK = /=?(?:\r?\n|(?:\\{1,2}r)?\\{1,2}n|(?:%0d)?%0a)[ \t]*/gi;

/** A text without its line breaks, and the function from a place in it to the place in the text. */
function withoutBreaks(text: string): {
  readonly joined: string;
  readonly placeOf: (place: number) => number;
} {
  let joined = '';
  let from = 0;
  const parts: { readonly at: number; readonly from: number }[] = [];
  const add = (to: number): void => {
    parts.push({ at: joined.length, from });
    joined += text.slice(from, to);
  };
  for (const { 0: sign, index } of text.matchAll(BREAK)) {
    add(index);
    from = index + sign.length;
  }
  add(text.length);
  let part = 0;
  const placeOf = (place: number): number => {
    while ((parts[part + 1]?.at ?? Number.POSITIVE_INFINITY) <= place) part += 1;
    return place + (parts[part]?.from ?? 0) - (parts[part]?.at ?? 0);
  };
  return { joined, placeOf };
}

/** How many texts are remembered, and the most characters of one: header lines and lists are the same in many exchanges of a run. */
const REMEMBERED = { texts: 1000, characters: 4000 };

const soughtOf = ({ value, encoded = false }: Secret, which: number): Sought => ({
  value,
  which,
  alone: value.length < SHORTEST_IN_WORDS && !encoded,
});

/** The headers whose numbers and dates a judge compares with the specification, in lower case. */
const FIGURE_HEADERS: ReadonlySet<string> = new Set([
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'],
  ...['date', 'age', 'expires', 'content-length', 'x-total-count'],
]);

const NUMBER = /^[0-9]{1,15}(?:\.[0-9]{1,9})?$/;
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
/** The three forms of RFC 9110 §5.6.7. */
const DATE = new RegExp(
  `^[MTWFS][a-z]{2,8}(?:,? [0-9]{2}[ -]${MONTH}[ -][0-9]{2,4}| ${MONTH} [ 0-9][0-9]) [0-9]{2}:[0-9]{2}:[0-9]{2}(?: GMT| [0-9]{4})$`,
);

/** Whether the value of a header is a number or a date that is judged: such a value is never touched. */
const isJudgedFigure = (name: string, value: string): boolean =>
  FIGURE_HEADERS.has(name.toLowerCase()) && (NUMBER.test(value.trim()) || DATE.test(value.trim()));

export const redactedLine = (
  [name, value]: readonly [name: string, value: string],
  redact: Redact,
): readonly [name: string, value: string] => [
  redact(name),
  isJudgedFigure(name, value) ? value : redact(value),
];
