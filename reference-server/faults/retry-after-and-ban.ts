import type { RequirementId } from '../../spec/register.ts';
import { headerValues } from '../message.ts';
import { mapHeader, onReply, status, withJson, without } from './answers.ts';
import { banning } from './banning.ts';
import type { Fault } from './fault.ts';

/** Faults of the chapter "Retry-After and ban". */
export const retryAfterAndBan: readonly Fault[] = [
  {
    id: 'retry-after-absent',
    says: 'A 429 has no Retry-After.',
    breaks: ['RETRY-1'],
    seen: 'ulule/limiter, Tyk, envoy#45384',
    ...onReply(status(429), (reply) => without(reply, 'Retry-After')),
  },
  {
    id: 'retry-after-under-another-name',
    says: 'A 429 has X-Retry-After instead.',
    breaks: ['RETRY-1'],
    seen: '@nestjs/throttler’s named throttlers, bucket4j’s example',
    ...onReply(status(429), (reply) => ({
      ...reply,
      headers: reply.headers.map(([name, value]) => [name === 'Retry-After' ? 'X-Retry-After' : name, value]),
    })),
  },
  {
    id: 'retry-after-in-body',
    says: 'How long to wait stands in the body of a 429 and in no header.',
    breaks: ['RETRY-1'],
    seen: 'traefik#3440, Matrix’s retry_after_ms',
    ...onReply(status(429), (reply) =>
      withJson(without(reply, 'Retry-After'), (error) => ({
        ...error,
        retry_after_ms: 1000 * Number(headerValues(reply, 'Retry-After')[0]),
      })),
    ),
  },
  retrying('retry-after-in-milliseconds', 'Retry-After is in milliseconds.', 'RETRY-2', {
    write: (seconds) => String(1000 * seconds),
    seen: 'fastify-rate-limit#301, discord-api-docs#4722',
  }),
  retrying('retry-after-as-timestamp', 'Retry-After is a Unix timestamp.', 'RETRY-2', {
    write: (seconds, now) => String(Math.ceil(now / 1000) + seconds),
    seen: 'crunchtools/mcp-github 1.3.1 ("Retry after 1792152901 seconds")',
  }),
  retrying('retry-after-with-fraction', 'Retry-After has a fraction of a second.', 'RETRY-2', {
    write: (seconds) => (seconds - 0.01).toFixed(2),
    seen: 'rate-limiter-flexible’s README',
  }),
  retrying('retry-after-with-unit', 'Retry-After names its unit: "60 seconds".', 'RETRY-2', {
    write: (seconds) => `${seconds} seconds`,
    seen: 'durations written for people',
  }),
  retrying('retry-after-below-zero', 'Retry-After is negative.', 'RETRY-2', {
    write: () => '-1',
    seen: 'flask-limiter#62',
  }),
  retrying('retry-after-zero', 'Retry-After is always 0.', 'RETRY-3', {
    write: () => '0',
    seen: 'traefik#8573, flask-limiter#99, redis-cell#48',
  }),
  retrying('retry-after-half', 'Retry-After is half of the truth.', 'RETRY-3', {
    write: (seconds) => String(Math.floor(seconds / 2)),
    seen: 'the mean wait taken for the longest',
  }),
  retrying('retry-after-three-seconds-short', 'Retry-After is three seconds short.', 'RETRY-3', {
    write: (seconds) => String(Math.max(0, seconds - 3)),
    seen: 'clocks of the limiter and of its store that differ',
  }),
  retrying('retry-after-in-the-past', 'Retry-After is a date that has passed.', 'RETRY-3', {
    write: (_, now) => new Date(now - 60_000).toUTCString(),
    seen: 'the window’s beginning put where its end belongs',
  }),
  retrying('retry-after-rounded-down', 'Retry-After is a second short at most.', [], {
    write: (seconds) => String(seconds - 1),
    warns: ['RETRY-4'],
    seen: 'koa-ratelimit 6.0.0, Flask-Limiter, bucket4j’s example',
  }),
  {
    id: 'ban-for-ever',
    says: 'A key that keeps sending is banned for ever, and told each time to come back after a minute.',
    breaks: ['BAN-1'],
    seen: 'deny lists that nobody prunes',
    ...banning({ lengthMs: () => Number.POSITIVE_INFINITY }),
  },
  {
    id: 'ban-for-everybody',
    says: 'While one key is banned every key is refused.',
    breaks: ['BAN-2'],
    seen: 'bans by address, where many customers come through one gateway',
    ...banning({ concerns: (banned) => banned.size > 0 }),
  },
];

/** Writes the Retry-After of a 429 otherwise, from the true seconds and the time in milliseconds. */
function retrying(
  id: string,
  says: string,
  breaks: RequirementId | readonly RequirementId[],
  how: {
    readonly write: (seconds: number, now: number) => string;
    readonly seen: string;
    readonly warns?: readonly RequirementId[];
  },
): Fault {
  const { write, seen, warns = [] } = how;
  const change = onReply(status(429), (reply, _, { now }) =>
    mapHeader(reply, 'Retry-After', (seconds) => write(Number(seconds), now())),
  );
  return { id, says, breaks: [breaks].flat(), warns, seen, ...change };
}
