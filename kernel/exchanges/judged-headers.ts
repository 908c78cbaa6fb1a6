/** The three headers that every response of the service carries (specification, Rate limit headers). */
export const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/**
 * The fields of the Internet-Draft "RateLimit header fields for HTTP"
 * (draft-ietf-httpapi-ratelimit-headers): separate fields up to version 06, one
 * field and a policy from 07, structured fields from 08. They mean something
 * else than the X-RateLimit headers: `reset` there is a number of seconds.
 */
export const DRAFT_FIELDS = [
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
] as const;

/** Headers in which caches state whether they answered; of RFC 9211, and of products. */
export const CACHE_STATUS = [
  'Cache-Status',
  'CF-Cache-Status',
  'X-Cache',
  'X-Cache-Status',
  'X-Proxy-Cache',
  'X-Cache-Lookup',
] as const;

/** Headers that name an intermediary, which may be a cache. */
export const INTERMEDIARY = ['Via', 'X-Served-By'] as const;

/**
 * The headers whose values a judge reads: the one list by which values are recorded. A value that no judge reads may be
 * a secret and is not needed. `headerValue` takes these names alone, so that none is read that is not recorded.
 */
export const JUDGED_HEADERS = [
  ...RATE_HEADERS,
  ...DRAFT_FIELDS,
  ...(['X-Rate-Limit-Limit', 'X-Rate-Limit-Remaining', 'X-Rate-Limit-Reset'] as const),
  ...(['Retry-After', 'Date', 'Age'] as const),
  ...(['Accept', 'Accept-Encoding', 'Accept-Language', 'User-Agent', 'X-Forwarded-For'] as const),
  ...(['Content-Type', 'Content-Encoding', 'Content-Length', 'X-Content-Type-Options'] as const),
  ...(['WWW-Authenticate', 'Allow', 'Cache-Control', 'Expires', 'Deprecation', 'Sunset'] as const),
  ...(['Link', 'ETag', 'Vary', 'X-Total-Count'] as const),
  ...CACHE_STATUS,
  ...INTERMEDIARY,
  ...(['Server', 'X-Powered-By', 'X-Runtime', 'Connection', 'Transfer-Encoding'] as const),
] as const;

/** Those of whose values a part is recorded: the scheme, the target without its parameters, the names of cookies. */
const JUDGED_IN_PART = ['Authorization', 'Location', 'Cookie', 'Set-Cookie'] as const;

/** A header that a judge may read. */
export type JudgedHeader = (typeof JUDGED_HEADERS | typeof JUDGED_IN_PART)[number];

const JUDGED: ReadonlySet<string> = new Set(JUDGED_HEADERS.map((name) => name.toLowerCase()));

/** What tells values apart that are not recorded: equal ones have the same tag, and none follows from it. */
export type TagOf = (value: string) => string | number;

/**
 * The value of a header as it is recorded.
 * @param redacted the value with names for the keys in it; these stay.
 */
export function recordedValue(name: string, redacted: string, tagOf: TagOf): string {
  const lower = name.toLowerCase();
  if (JUDGED.has(lower)) return redacted;
  if (lower === 'location') return recordedTarget(redacted, tagOf);
  if (lower === 'authorization') return withoutRest(redacted, /^\S+\s+/, tagOf);
  if (lower === 'set-cookie') return recordedCookie(redacted, tagOf);
  if (lower !== 'cookie') return withoutValue(redacted, tagOf);
  return redacted
    .split('; ')
    .map((one) => recordedCookie(one, tagOf))
    .join('; ');
}

const recordedCookie = (text: string, tagOf: TagOf): string => withoutRest(text, /^[^=;]*=/, tagOf);

/** A text of which only the beginning is recorded that a pattern finds. */
function withoutRest(redacted: string, kept: RegExp, tagOf: TagOf): string {
  const [start = ''] = kept.exec(redacted) ?? [];
  return `${start}${withoutValue(redacted.slice(start.length), tagOf)}`;
}

/** What is taken for a name and not for a value: words of letters, in any of the usual spellings; and a version. */
const NAME = '[A-Z]?[a-z]{1,20}(?:(?:[-_.][A-Z]?|[A-Z])[a-z]{1,20}){0,5}|v[0-9]{1,3}';

const WHOLE_NAME = new RegExp(`^(?:${NAME})$`);

/** Whether a text is a name, which is recorded as it is. */
export const isName = (text: string): boolean => WHOLE_NAME.test(text);

/** A target with the names of its parameters, and without a password of its address. */
export const recordedTarget = (redacted: string, tagOf: TagOf): string =>
  redacted
    .replace(
      /^((?:[a-z][a-z0-9+.-]*:)?\/\/)([^/?#@]*)@/i,
      (_, start: string, user: string) => `${start}${withoutValue(user, tagOf)}@`,
    )
    .replace(/[?&;#][^?&;#]*/g, (part) => withoutRest(part, PARAMETER, tagOf));

const PARAMETER = new RegExp(`^.(?:(?:${NAME})=)?`);

/** The names that stand for keys in a redacted text. */
const KEY_NAMES = /\[(?:[^\][]* )?key(?:[ ,][^\][]*)?\]|\[value of [^\][]*\]/g;

/** What stands for a value that is not recorded, and the names of the keys in it. */
export function withoutValue(redacted: string, tagOf: TagOf): string {
  const keys = new Set(redacted.match(KEY_NAMES) ?? []);
  return redacted.replace(KEY_NAMES, '') === ''
    ? redacted
    : [`[not recorded ${tagOf(redacted)}]`, ...keys].join(' ');
}
