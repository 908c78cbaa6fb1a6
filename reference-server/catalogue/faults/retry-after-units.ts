import type { RequirementId } from '../../../spec/register.ts';
import { headerValues } from '../../service/message.ts';
import { hasStatus, mapHeader, onResponse } from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';

/** The Retry-After of a fault. */
interface RetryAfterChange {
  /** From the correct wait in seconds, the time in milliseconds, and Reset in Unix seconds. */
  readonly write: (seconds: number, now: number, reset: number) => string;
  readonly seenIn: string;
  readonly warnings?: readonly RequirementId[];
}

/** Changes the Retry-After of 429 responses. */
export function withRetryAfter(
  id: string,
  description: string,
  breaks: RequirementId | readonly RequirementId[],
  { write, seenIn, warnings = [] }: RetryAfterChange,
): Fault {
  const change = onResponse(hasStatus(429), (response, _, { now }) => {
    const reset = Number(headerValues(response, 'X-RateLimit-Reset')[0]);
    return mapHeader(response, 'Retry-After', (seconds) => write(Number(seconds), now(), reset));
  });
  return { id, description, breaks: [breaks].flat(), warnings, seenIn, ...change };
}

/**
 * A whole number in another unit has the syntax of RFC 9110 §10.2.3, and the
 * specification does not show the unit: a client that reads seconds waits far
 * too long and is then accepted. Nothing is violated, and a run warns.
 */
const inUnit = (id: string, description: string, write: RetryAfterChange['write'], seenIn: string): Fault =>
  withRetryAfter(id, description, [], { write, seenIn, warnings: ['RETRY-2'] });

/** Retry-After as a whole number in another unit than seconds. */
export const retryAfterUnits: readonly Fault[] = [
  inUnit(
    'retry-after-in-milliseconds',
    'Retry-After is in milliseconds.',
    (seconds) => String(1000 * seconds),
    'fastify-rate-limit#301, discord-api-docs#4722',
  ),
  inUnit(
    'retry-after-in-nanoseconds',
    'Retry-After is in nanoseconds.',
    (seconds) => String(1e9 * seconds),
    'a Go time.Duration written as a number',
  ),
  inUnit(
    'retry-after-as-timestamp',
    'Retry-After is a Unix timestamp.',
    (seconds, now) => String(Math.ceil(now / 1000) + seconds),
    'crunchtools/mcp-github 1.3.1 ("Retry after 1792152901 seconds")',
  ),
  inUnit(
    'retry-after-as-timestamp-in-nanoseconds',
    'Retry-After is a Unix timestamp in nanoseconds, with 19 digits.',
    (_, __, reset) => `${reset}000000000`,
    'Go’s time.UnixNano() written into the header',
  ),
];
