import type { Decision } from '../../reference-server/limiters/limiter.ts';
import type { Seams } from '../../reference-server/seams.ts';
import { headerValues } from '../../reference-server/service/message.ts';
import { banning } from '../wrappers/banning.ts';
import { countingMinute } from '../wrappers/counting.ts';
import {
  asError,
  hasStatus,
  mapHeader,
  onResponse,
  withJson,
  withLines,
  withoutHeaders,
} from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';
import { retryAfterUnits, retrying } from './retry-after-units.ts';

/** Faults of the chapter "Retry-After and ban". */
export const retryAfterAndBan: readonly Fault[] = [
  {
    id: 'retry-after-absent',
    description: 'A 429 has no Retry-After.',
    breaks: ['RETRY-1'],
    seenIn: 'ulule/limiter, Tyk, envoy#45384',
    ...onResponse(hasStatus(429), (response) => withoutHeaders(response, 'Retry-After')),
  },
  {
    id: 'retry-after-under-another-name',
    description: 'A 429 has X-Retry-After instead.',
    breaks: ['RETRY-1'],
    seenIn: '@nestjs/throttler’s named throttlers, bucket4j’s example',
    ...onResponse(hasStatus(429), (response) => ({
      ...response,
      headers: response.headers.map(([name, value]) => [
        name === 'Retry-After' ? 'X-Retry-After' : name,
        value,
      ]),
    })),
  },
  {
    id: 'retry-after-in-body',
    description: 'How long to wait stands in the body of a 429 and in no header.',
    breaks: ['RETRY-1'],
    seenIn: 'traefik#3440, Matrix’s retry_after_ms',
    ...onResponse(hasStatus(429), (response) =>
      withJson(withoutHeaders(response, 'Retry-After'), (error) => ({
        ...error,
        retry_after_ms: 1000 * Number(headerValues(response, 'Retry-After')[0]),
      })),
    ),
  },
  ...retryAfterUnits,
  retrying('retry-after-with-fraction', 'Retry-After has a fraction of a second.', 'RETRY-2', {
    write: (seconds) => (seconds - 0.01).toFixed(2),
    seenIn: 'rate-limiter-flexible’s README',
  }),
  retrying('retry-after-with-unit', 'Retry-After names its unit: "60 seconds".', 'RETRY-2', {
    write: (seconds) => `${seconds} seconds`,
    seenIn: 'durations written for people',
  }),
  retrying('retry-after-below-zero', 'Retry-After is negative.', 'RETRY-2', {
    write: () => '-1',
    seenIn: 'flask-limiter#62',
  }),
  retrying('retry-after-zero', 'Retry-After is always 0.', 'RETRY-3', {
    write: () => '0',
    seenIn: 'traefik#8573, flask-limiter#99, redis-cell#48',
  }),
  retrying('retry-after-half', 'Retry-After is half of the truth.', 'RETRY-3', {
    write: (seconds) => String(Math.floor(seconds / 2)),
    seenIn: 'the mean wait taken for the longest',
  }),
  retrying('retry-after-three-seconds-short', 'Retry-After is three seconds short.', 'RETRY-3', {
    write: (seconds) => String(Math.max(0, seconds - 3)),
    seenIn: 'clocks of the limiter and of its store that differ',
  }),
  retrying('retry-after-in-the-past', 'Retry-After is a date that has passed.', 'RETRY-3', {
    write: (_, now) => new Date(now - 60_000).toUTCString(),
    seenIn: 'the window’s beginning put where its end belongs',
  }),
  retrying('retry-after-two-seconds-short', 'Retry-After is two seconds short.', 'RETRY-3', {
    write: (seconds) => String(Math.max(0, seconds - 2)),
    seenIn: 'clocks of the limiter and of its store that differ',
  }),
  retrying('retry-after-ten-seconds-short', 'Retry-After is ten seconds short.', 'RETRY-3', {
    write: (seconds) => String(Math.max(0, seconds - 10)),
    seenIn: 'a timer that sweeps windows every ten seconds',
  }),
  retrying('retry-after-in-minutes', 'Retry-After is in minutes.', 'RETRY-3', {
    write: (seconds) => String(Math.ceil(seconds / 60)),
    seenIn: 'AspNetCoreRateLimit’s periods ("1m") written without their unit',
  }),
  retrying('retry-after-empty', 'Retry-After is empty.', 'RETRY-2', {
    write: () => '',
    seenIn: 'templates whose variable is not set',
  }),
  retrying('retry-after-as-iso-date', 'Retry-After is a date in ISO 8601.', 'RETRY-2', {
    write: (seconds, now) => new Date(now + 1000 * seconds).toISOString(),
    seenIn: 'JSON serialisers asked to write a header',
  }),
  retrying(
    'retry-after-in-local-time',
    'Retry-After is an HTTP-date with an offset instead of GMT.',
    'RETRY-2',
    {
      write: (seconds, now) => new Date(now + 1000 * seconds).toUTCString().replace('GMT', '+0000'),
      seenIn: 'the date format of mail (RFC 5322) taken for that of HTTP',
    },
  ),
  {
    id: 'retry-after-twice',
    description: 'A 429 has two Retry-After lines with different values.',
    breaks: ['RETRY-2'],
    seenIn: 'a gateway and a service that both limit, and both add the header',
    ...onResponse(hasStatus(429), (response) => withLines(response, ['Retry-After', '1'])),
  },
  {
    id: 'retry-after-twice-the-same',
    description: 'A 429 has two Retry-After lines with the same value.',
    breaks: [],
    warnings: ['RETRY-2'],
    seenIn: 'the same limiter mounted twice, adding its headers',
    ...onResponse(hasStatus(429), (response) =>
      withLines(
        response,
        ...headerValues(response, 'Retry-After').map((value) => ['Retry-After', value] as const),
      ),
    ),
  },
  {
    id: 'retry-after-rounded-down-twice',
    description: 'Retry-After is rounded down from a Reset that was rounded down before.',
    breaks: [],
    warnings: ['RETRY-4'],
    undecidable: {
      requirement: 'RETRY-3',
      because:
        'Whether a wait that is short by less than two seconds is too short by more than one shows at some phases of a second and not at others. A request that is refused after it and accepted at most a second later is what rounding down once looks like: a warning, and no violation.',
    },
    seenIn: 'koa-ratelimit on Redis (async-ratelimiter 1.6.10)',
    ...onResponse(hasStatus(429), (response, _, { now }) =>
      mapHeader(response, 'Retry-After', () => {
        const reset = Number(headerValues(response, 'X-RateLimit-Reset')[0]) - 1;
        return String(Math.max(0, Math.floor(reset - now() / 1000)));
      }),
    ),
  },
  {
    id: 'recovers-at-twice-retry-after',
    description: 'A caller that was refused is accepted again when twice its Retry-After has passed.',
    breaks: ['RETRY-3'],
    seenIn: 'aspnetcoreratelimit#351 and #490',
    ...recoveringLate(),
  },
  {
    id: 'patient-client-banned',
    description:
      'The first refusal bans the key for a window and a half: when Retry-After has passed it is answered 403.',
    breaks: ['RETRY-3'],
    warnings: ['RETRY-4'],
    seenIn: 'rolling-rate-limiter#9',
    ...banningThePatient(),
  },
  {
    id: 'refused-again-after-one-request',
    description:
      'After a refusal a caller gets one request, and is refused again although Remaining promises more.',
    breaks: [],
    undecidable: {
      requirement: 'RATE-8',
      because:
        'It takes a second request after the recovery, and then only one whose refusal asks for a wait about the window is a broken promise. The examination sends none beyond the 62 that it needs.',
    },
    seenIn: 'half-open circuit breakers in front of a limiter',
    ...grantingOneRequest(),
  },
  retrying('retry-after-rounded-down', 'Retry-After is a second short at most.', [], {
    write: (seconds) => String(seconds - 1),
    warnings: ['RETRY-4'],
    seenIn: 'koa-ratelimit 6.0.0, Flask-Limiter, bucket4j’s example',
  }),
  {
    id: 'ban-for-ever',
    description:
      'A key that keeps sending is banned for ever, and told each time to come back after a minute.',
    breaks: ['BAN-1'],
    seenIn: 'deny lists that nobody prunes',
    ...banning({ lengthMs: () => Number.POSITIVE_INFINITY }),
  },
  {
    id: 'ban-for-everybody',
    description: 'While one key is banned every key is refused.',
    breaks: ['BAN-2'],
    seenIn: 'bans by address, where many customers come through one gateway',
    ...banning({ affects: (banned) => banned.size > 0 }),
  },
];

/** The callers that were refused for the minute, and until when they are refused whatever the limiter says. */
function recoveringLate(): Seams {
  return countingMinute((limiter) => {
    const waits = new Map<string, Decision>();
    return {
      consume(caller, request, now) {
        const wait = waits.get(caller.id);
        if (wait !== undefined && now < wait.retryAt) {
          return { ...wait, resetAt: wait.retryAt, retryAt: now + (wait.retryAt - now) / 2 };
        }
        const decision = limiter.consume(caller, request, now);
        if (decision.allowed) return decision;
        waits.set(caller.id, { ...decision, retryAt: now + 2 * (decision.retryAt - now) });
        return decision;
      },
    };
  });
}

function banningThePatient(): Seams {
  return {
    wrapService(handle, { now, plans }) {
      const lengthMs = 1.5 * plans.minuteSeconds * 1000;
      const until = new Map<string, number>();
      return (request) => {
        const outcome = handle(request);
        const key = headerValues(request, 'Authorization').join(' ');
        if (outcome.kind !== 'response') return outcome;
        if (now() < (until.get(key) ?? 0)) return asError(outcome, 403, 'banned', 'This key is banned.');
        if (outcome.status === 429) until.set(key, now() + lengthMs);
        return outcome;
      };
    },
  };
}

function grantingOneRequest(): Seams {
  return countingMinute((limiter) => {
    const grants = new Map<string, number>();
    return {
      consume(caller, request, now) {
        const decision = limiter.consume(caller, request, now);
        const granted = grants.get(caller.id);
        if (!decision.allowed) grants.set(caller.id, 0);
        if (granted === undefined || !decision.allowed) return decision;
        grants.set(caller.id, granted + 1);
        return granted === 0 ? decision : { ...decision, allowed: false, retryAt: decision.resetAt };
      },
    };
  });
}
