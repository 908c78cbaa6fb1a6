import { UserError } from '../basics/errors.ts';
import type { HeaderLine } from './exchange.ts';

/** The three headers that every response of the service carries (specification, Rate limit headers). */
export const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers: separate ones up to version 06, one and a policy from 07,
 * structured ones from 08. `reset` there is a number of seconds, unlike X-RateLimit-Reset.
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

/** Headers with the number of all items, of which a list shows a page: of JSON Server, GitLab, WordPress, Yii and others. */
export const TOTALS = [
  ...(['X-Total-Count', 'X-Total', 'X-Total-Items', 'X-WP-Total'] as const),
  ...(['X-Pagination-Total-Count', 'Pagination-Count', 'Total-Count'] as const),
] as const;

/** Headers that have a value where another page follows: of GitLab, Azure, Heroku and others. */
export const NEXT_PAGE = [
  ...(['X-Next-Page', 'X-Next-Page-Token', 'X-Next-Cursor', 'X-Next-Token', 'X-Has-More'] as const),
  ...(['X-Has-Next-Page', 'X-Continuation-Token', 'X-MS-Continuation', 'Next-Range'] as const),
] as const;

/** Headers with the number of pages. */
export const PAGE_COUNTS = [
  'X-Total-Pages',
  'X-WP-TotalPages',
  'X-Page-Count',
  'X-Pagination-Page-Count',
] as const;

/** The header in which ASP.NET and Flask services have such facts as JSON, in spellings of their own. */
export const PAGINATION = 'X-Pagination';

/**
 * The headers whose values a judge reads: the one list by which values are recorded. A value that no judge reads may be
 * a secret and is not needed. `headerValue` takes these names alone, so that none is read that is not recorded.
 */
const JUDGED_HEADERS = [
  ...RATE_HEADERS,
  ...DRAFT_FIELDS,
  ...(['X-Rate-Limit-Limit', 'X-Rate-Limit-Remaining', 'X-Rate-Limit-Reset'] as const),
  ...(['Retry-After', 'Date', 'Age'] as const),
  ...(['Accept', 'Accept-Encoding', 'Accept-Language', 'User-Agent', 'X-Forwarded-For'] as const),
  ...(['Content-Type', 'Content-Encoding', 'Content-Length', 'X-Content-Type-Options'] as const),
  ...(['WWW-Authenticate', 'Allow', 'Cache-Control', 'Expires', 'Deprecation', 'Sunset'] as const),
  ...TOTALS,
  ...NEXT_PAGE,
  ...PAGE_COUNTS,
  ...([PAGINATION, 'Link', 'Content-Range', 'ETag', 'Vary'] as const),
  ...CACHE_STATUS,
  ...INTERMEDIARY,
  ...(['Server', 'X-Powered-By', 'X-Runtime', 'Connection', 'Transfer-Encoding'] as const),
] as const;

/** Those of whose values a part is recorded: the scheme, the target without its parameters, the names of cookies. */
const JUDGED_IN_PART = ['Authorization', 'Location', 'Cookie', 'Set-Cookie'] as const;

export type JudgedHeader = (typeof JUDGED_HEADERS | typeof JUDGED_IN_PART)[number];

const JUDGED: ReadonlySet<string> = new Set(JUDGED_HEADERS.map((name) => name.toLowerCase()));

/** What tells values apart that are not recorded: equal ones have the same tag, and none follows from it. */
type TagOf = (value: string) => string | number;

/** The value of a header as it is recorded. @param redacted the value with names for the keys in it; these stay. */
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

/** Headers that a run or HTTP itself sets: another value would change what is tested. */
const RESERVED: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

/** @param pairs each `Name=VAR`. @throws {UserError} when a variable is not set, or a header cannot be sent or is reserved. */
export function secretGatewayHeaders(
  pairs: readonly string[],
  input: string,
  env: NodeJS.ProcessEnv,
): readonly HeaderLine[] {
  return pairs.map((pair): HeaderLine => {
    const usage = `${input} takes 'Name=VAR', where VAR is the name of an environment variable.`;
    const [name, variable] = splitAt(pair, '=', usage);
    const value = env[variable];
    if (value === undefined) {
      const header = TOKEN.test(name) ? name : 'in question';
      throw new UserError(
        `The environment variable that ${input} names for the header ${header} is not set: export it first.`,
      );
    }
    return checkedHeader(name, value, input);
  });
}

/** Messages repeat names at most: values may be secrets. @throws {UserError} when it cannot be sent or is reserved. */
export function gatewayHeader(line: string, input: string): HeaderLine {
  const [name, value] = splitAt(line, ':', `${input} takes 'Name: value', for example 'X-Tenant: staging'.`);
  return checkedHeader(name, value, input);
}

function splitAt(text: string, sign: string, usage: string): HeaderLine {
  const at = text.indexOf(sign);
  if (at < 1) throw new UserError(usage);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** A field name is a token, a field value consists of visible characters (RFC 9110 §5.1, §5.5). */
function checkedHeader(name: string, value: string, input: string): HeaderLine {
  if (!TOKEN.test(name)) {
    throw new UserError(
      `${input}: the text before the value is not a valid header name; use letters, digits and hyphens.`,
    );
  }
  if (RESERVED.has(name.toLowerCase())) {
    throw new UserError(`${input}: the run sets ${name} itself, so leave this header out.`);
  }
  if (value === '' || !/^[\t\x20-\x7e]+$/.test(value)) {
    throw new UserError(
      `${input}: the value of ${name} is empty or holds characters that a header cannot carry; use visible ASCII characters.`,
    );
  }
  return [name, value];
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
