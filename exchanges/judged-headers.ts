/**
 * The headers whose values a judge reads, in lower case: the one list by which `watch` records values. A value that no
 * judge reads may be a secret and is not needed. The credential of `Authorization` is never recorded.
 */
export const JUDGED_HEADERS: ReadonlySet<string> = new Set([
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after', 'date', 'age'],
  ...['ratelimit', 'ratelimit-policy', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'],
  ...['authorization', 'accept', 'user-agent', 'content-type', 'content-encoding', 'content-length'],
  ...['www-authenticate', 'allow', 'cache-control', 'expires', 'deprecation', 'sunset', 'x-total-count'],
  ...['cache-status', 'cf-cache-status', 'x-cache', 'x-cache-status', 'x-proxy-cache', 'x-cache-lookup'],
  ...['via', 'x-served-by', 'server', 'x-powered-by', 'x-forwarded-for', 'location', 'link', 'etag'],
  ...['connection', 'transfer-encoding', 'vary', 'accept-language', 'x-content-type-options'],
]);
