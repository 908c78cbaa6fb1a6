import type { RequirementId } from '../../../spec/register.ts';
import type { Decision } from '../../limiters/limiter.ts';
import { headerValues } from '../../service/message.ts';
import { banning, firewallBefore, pageOf } from '../wrappers/blocking.ts';
import { countingMinute, limitedTo } from '../wrappers/counting.ts';
import {
  always,
  asError,
  changingRetryAfter,
  editing,
  hasStatus,
  onResponse,
  remembering,
  withLines,
} from '../wrappers/responses.ts';
import type { StatedFault, StatedFaults } from './fault.ts';

/** Another Retry-After of 429 responses. */
function withRetryAfter(
  description: string,
  breaks: readonly RequirementId[],
  how: {
    /** From the correct wait in seconds, and the time in milliseconds. */
    readonly write: (seconds: number, now: number) => string;
    readonly seenIn: string;
    readonly warnings?: readonly RequirementId[];
  },
): StatedFault {
  const { write, seenIn, warnings = [] } = how;
  return { description, breaks, warnings, seenIn, ...changingRetryAfter(write) };
}

const TWENTY = 20;

/** Faults of the chapter "Retry-After and ban". */
export const retryAfterAndBan: StatedFaults = {
  'new-connections-limited-by-a-page': {
    description:
      'A firewall answers 429 with a page and no further headers to new connections beyond five in a second.',
    breaks: ['RETRY-1', 'RATE-4'],
    warnings: ['MEDIA-2', 'RATE-8', 'LIMIT-2'],
    seenIn: 'rate-based rules of web application firewalls, conn_rate of HAProxy with its usual page',
    ...firewallBefore(pageOf(429)),
  },
  'retry-after-absent': {
    description: 'A 429 response has no Retry-After.',
    breaks: ['RETRY-1'],
    seenIn: 'ulule/limiter, Tyk, envoy#45384',
    ...editing(hasStatus(429), { without: ['Retry-After'] }),
  },
  'unauthenticated-429-without-retry-after': {
    description:
      'An address may send twenty requests without a valid key, and then gets 429 without Retry-After.',
    breaks: ['RETRY-1'],
    seenIn: 'a limiter of the gateway for failed logins, in front of one in the service',
    wrapLimiter: (limiter) => (caller, request, now) =>
      limiter(caller.authenticated ? caller : limitedTo(TWENTY, caller), request, now),
    ...editing(
      (response) =>
        response.status === 429 && headerValues(response, 'X-RateLimit-Limit')[0] === String(TWENTY),
      { without: ['Retry-After'] },
    ),
  },
  // A whole number in another unit than seconds has the syntax of RFC 9110 §10.2.3, and the specification does not show the
  // unit: a client that reads seconds waits far too long and is then accepted. A run warns.
  'retry-after-in-milliseconds': withRetryAfter('Retry-After is in milliseconds.', [], {
    write: (seconds) => String(1000 * seconds),
    warnings: ['RETRY-2'],
    seenIn: 'fastify-rate-limit#301, discord-api-docs#4722',
  }),
  'retry-after-as-timestamp-in-nanoseconds': withRetryAfter(
    'Retry-After is a Unix timestamp in nanoseconds, with 19 digits.',
    [],
    {
      write: (seconds, now) => `${now + 1000 * seconds}000000`,
      warnings: ['RETRY-2'],
      seenIn: 'Go’s time.UnixNano() written into the header',
    },
  ),
  'retry-after-with-unit': withRetryAfter('Retry-After has a unit: "60 seconds".', ['RETRY-2'], {
    write: (seconds) => `${seconds} seconds`,
    seenIn: 'durations written for people',
  }),
  'retry-after-zero': withRetryAfter('Retry-After is always 0.', ['RETRY-3'], {
    write: () => '0',
    seenIn: 'traefik#8573, flask-limiter#99, redis-cell#48',
  }),
  'retry-after-half': withRetryAfter('Retry-After is half of the actual wait.', ['RETRY-3'], {
    write: (seconds) => String(Math.floor(seconds / 2)),
    seenIn: 'the mean wait used in place of the longest',
  }),
  'retry-after-in-the-past': withRetryAfter('Retry-After is a date in the past.', ['RETRY-3'], {
    write: (_, now) => new Date(now - 60_000).toUTCString(),
    seenIn: 'the start of the window in place of its end',
  }),
  'retry-after-two-seconds-short': withRetryAfter('Retry-After is two seconds too short.', ['RETRY-3'], {
    write: (seconds) => String(Math.max(0, seconds - 2)),
    seenIn: 'different clocks of the limiter and its store',
  }),
  'retry-after-empty': withRetryAfter('Retry-After is empty.', ['RETRY-2'], {
    write: () => '',
    seenIn: 'templates with an undefined variable',
  }),
  'retry-after-in-local-time': withRetryAfter(
    'Retry-After is an HTTP-date with a time zone offset instead of GMT.',
    ['RETRY-2'],
    {
      write: (seconds, now) => new Date(now + 1000 * seconds).toUTCString().replace('GMT', '+0000'),
      seenIn: 'the date format of mail (RFC 5322) used for HTTP',
    },
  ),
  'retry-after-twice': {
    description: 'A 429 response has two Retry-After lines with different values.',
    breaks: ['RETRY-2'],
    seenIn: 'a gateway and a service that both limit, and both add the header',
    ...editing(hasStatus(429), { lines: { 'Retry-After': '1' } }),
  },
  'retry-after-twice-the-same': {
    description: 'A 429 response has two Retry-After lines with the same value.',
    warnings: ['RETRY-2'],
    seenIn: 'one limiter mounted twice, which adds its headers',
    ...onResponse(hasStatus(429), (response) =>
      withLines(
        response,
        ...headerValues(response, 'Retry-After').map((value) => ['Retry-After', value] as const),
      ),
    ),
  },
  'recovers-at-twice-retry-after': {
    description: 'A caller that got 429 is accepted only after twice the announced Retry-After.',
    breaks: ['RETRY-3'],
    seenIn: 'aspnetcoreratelimit#351 and #490',
    ...countingMinute((limiter) => {
      let wait: Decision | undefined;
      return (caller, request, now) => {
        if (wait !== undefined && now < wait.retryAt) {
          return { ...wait, resetAt: wait.retryAt, retryAt: now + (wait.retryAt - now) / 2 };
        }
        const decision = limiter(caller, request, now);
        if (!decision.allowed) wait = { ...decision, retryAt: now + 2 * (decision.retryAt - now) };
        return decision;
      };
    }),
  },
  'patient-client-banned': {
    description: 'The first 429 bans the key for one and a half windows; a retry after Retry-After gets 403.',
    breaksWith: { 'exclusive key': ['RETRY-3'] },
    undecidable:
      'A conforming service may ban a key whose client keeps sending after a 429. While the run waits, another client of the key may do that, and no response shows it. RETRY-3 is inconclusive, and the run incomplete; with --exclusive-key it fails.',
    seenIn: 'rolling-rate-limiter#9',
    ...remembering(always, ({ now, plans }) => {
      const lengthMs = 1.5 * plans.minuteSeconds * 1000;
      const until = new Map<string, number>();
      return (response, request) => {
        const key = headerValues(request, 'Authorization').join(' ');
        if (now() < (until.get(key) ?? 0)) return asError(response, 403);
        if (response.status === 429) until.set(key, now() + lengthMs);
        return response;
      };
    }),
  },
  'limited-again-after-one-request': {
    description:
      'After a 429, a caller can send one request and then gets 429 again although Remaining is above 0.',
    needs: ['thorough'],
    breaksWith: { 'exclusive key': ['RATE-8', 'LIMIT-2'] },
    undecidable:
      'Only a second request after the recovery shows it, which a run sends with --thorough. Another client of the key that exhausts its quota after each wait would cause such a 429, too; with --exclusive-key both requirements fail.',
    seenIn: 'half-open circuit breakers in front of a limiter',
    ...countingMinute((limiter) => {
      let granted: number | undefined;
      return (caller, request, now) => {
        const decision = limiter(caller, request, now);
        if (!decision.allowed) granted = 0;
        else if (granted !== undefined) granted += 1;
        return (granted ?? 0) <= 1 ? decision : { ...decision, allowed: false, retryAt: decision.resetAt };
      };
    }),
  },
  'retry-after-rounded-down': withRetryAfter('Retry-After is up to a second too short.', [], {
    write: (seconds) => String(seconds - 1),
    warnings: ['RETRY-4'],
    seenIn: 'koa-ratelimit 6.0.0, Flask-Limiter, bucket4j’s example',
  }),
  'ban-for-ever': {
    description:
      'A key that keeps sending is banned forever, while each response announces a wait of one minute.',
    needs: ['disposable key'],
    breaks: ['BAN-1'],
    seenIn: 'deny lists without expiry',
    ...banning({ lengthMs: () => Number.POSITIVE_INFINITY }),
  },
  'ban-for-everybody': {
    description: 'While one key is banned, every key is.',
    needs: ['disposable key'],
    breaksWith: { 'exclusive key': ['BAN-2'] },
    undecidable:
      'Another client of the key under test may have caused a ban of that key, at the same moment as the disposable key got its own. BAN-2 is inconclusive for it, and the run incomplete; with --exclusive-key it fails.',
    seenIn: 'bans by address, where many customers share one gateway',
    ...banning({ affects: (banned) => banned.size > 0 }),
  },
};
