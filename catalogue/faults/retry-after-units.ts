import { headerValues } from '../../reference-server/message.ts';
import type { RequirementId } from '../../spec/register.ts';
import { mapHeader, onReply, status } from './answers.ts';
import type { Fault } from './fault.ts';

/** How a fault writes Retry-After. */
interface Written {
  /** From the true seconds, the time in milliseconds, and the moment of Reset in Unix seconds. */
  readonly write: (seconds: number, now: number, reset: number) => string;
  readonly seen: string;
  readonly warns?: readonly RequirementId[];
}

/** Writes the Retry-After of a 429 otherwise. */
export function retrying(
  id: string,
  says: string,
  breaks: RequirementId | readonly RequirementId[],
  { write, seen, warns = [] }: Written,
): Fault {
  const change = onReply(status(429), (reply, _, { now }) => {
    const reset = Number(headerValues(reply, 'X-RateLimit-Reset')[0]);
    return mapHeader(reply, 'Retry-After', (seconds) => write(Number(seconds), now(), reset));
  });
  return { id, says, breaks: [breaks].flat(), warns, seen, ...change };
}

/**
 * A whole number in another unit has the syntax of RFC 9110 §10.2.3, and the
 * specification does not show the unit: a client that reads seconds waits far
 * too long and is then accepted, so nothing is violated and a warning is due.
 */
const inUnit = (id: string, says: string, write: Written['write'], seen: string): Fault =>
  retrying(id, says, [], { write, seen, warns: ['RETRY-2'] });

/** Retry-After as a whole number of something else than seconds. */
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
    'Retry-After is a Unix timestamp in nanoseconds, of 19 digits.',
    (_, __, reset) => `${reset}000000000`,
    'Go’s time.UnixNano() written into the header',
  ),
];
