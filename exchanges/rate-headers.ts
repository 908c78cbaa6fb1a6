import type { HeaderLine } from './exchange.ts';

/** The three headers that every response of the service carries (specification, Rate limit headers). */
export const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/**
 * The fields of the Internet-Draft "RateLimit header fields for HTTP"
 * (draft-ietf-httpapi-ratelimit-headers): separate fields up to version 06, one
 * field and a policy from 07, structured fields from 08. They mean something
 * else than the X-RateLimit headers: `reset` there is a number of seconds.
 */
const DRAFT_FIELDS = [
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
] as const;

/** Which fields of the Internet-Draft these header lines hold, in the draft's own spelling. */
export function draftFields(headers: readonly HeaderLine[]): readonly string[] {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  return DRAFT_FIELDS.filter((name) => names.has(name.toLowerCase()));
}
