import type { Seams } from '../../reference-server/seams.ts';
import { headerValues } from '../../reference-server/service/message.ts';
import type { Applies } from '../wrappers/responses.ts';
import { hasStatus, isCreated, isList, mapHeader, onResponse } from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';
import { headerFault } from './fault.ts';

const THREE_HOURS = 10_800;
const A_DAY = 86_400;

/** Refused for no longer than an hour: no day is the reason. */
const withinTheMinute: Applies = (response) =>
  response.status === 429 && Number(headerValues(response, 'Retry-After')[0]) <= 3600;

/** Faults of the chapter "Rate-limit headers": what Reset says. */
export const reset: readonly Fault[] = [
  {
    id: 'reset-in-seconds-left',
    description: 'Reset is the number of seconds that are left.',
    breaks: ['RATE-9'],
    seenIn: '@fastify/rate-limit, @nestjs/throttler, Envoy, Kong, APISIX',
    ...resetting((reset, now) => String(Math.max(0, reset - now))),
  },
  {
    id: 'reset-in-milliseconds',
    description: 'Reset is in milliseconds.',
    breaks: ['RATE-9'],
    seenIn: 'RocketChat/docs-old#1358',
    ...resetting((reset) => String(reset * 1000)),
  },
  {
    id: 'reset-as-text',
    description: 'Reset is a date in ISO 8601.',
    breaks: ['RATE-9'],
    seenIn: 'lemlist; rack-attack#283',
    ...resetting((reset) => new Date(reset * 1000).toISOString()),
  },
  {
    id: 'reset-hours-away',
    description: 'Reset lies three hours later than it should.',
    breaks: ['RATE-9'],
    seenIn: '3scale/apisonator#54; local time taken for UTC',
    ...resetting((reset) => String(reset + THREE_HOURS)),
  },
  {
    id: 'reset-in-the-past',
    description: 'Reset lies a minute before the answer.',
    breaks: ['RATE-9'],
    seenIn: 'the window’s beginning put where its end belongs',
    ...resetting((_, now) => String(now - 60)),
  },
  headerFault('reset-zero-on-429', 'The Reset of a 429 is 0.', 'X-RateLimit-Reset', {
    applies: hasStatus(429),
    change: () => '0',
    breaks: 'RATE-9',
    seenIn: 'apisix#9964, envoyproxy/ratelimit#165',
  }),
  headerFault(
    'reset-a-day-away-on-429',
    'The Reset of a 429 lies a day later than it should.',
    'X-RateLimit-Reset',
    {
      applies: withinTheMinute,
      change: (reset) => String(Number(reset) + A_DAY),
      breaks: 'RATE-9',
      seenIn: 'the time to live of a day’s counter, put on the refusals of a minute',
    },
  ),
  headerFault('reset-zero', 'The Reset of a list is 0.', 'X-RateLimit-Reset', {
    applies: isList,
    change: () => '0',
    breaks: 'RATE-9',
    seenIn: 'records that have no expiry yet when the header is written',
  }),
  headerFault('reset-empty', 'The Reset of a 201 is empty.', 'X-RateLimit-Reset', {
    applies: isCreated,
    change: () => '',
    breaks: 'RATE-9',
    seenIn: 'bosnet/sebak#560',
  }),
  {
    id: 'reset-as-http-date',
    description: 'Reset is an HTTP-date.',
    breaks: ['RATE-9'],
    seenIn: 'header writers shared with Retry-After and Expires',
    ...resetting((at) => new Date(at * 1000).toUTCString()),
  },
  {
    id: 'reset-a-window-too-far',
    description: 'Reset is the end of the window after the present one.',
    breaks: ['RATE-9'],
    seenIn: 'limiters that keep two windows and show the expiry of the record',
    ...resettingByWindow((at, _, window) => at + window),
  },
  {
    id: 'reset-with-decimals',
    description: 'Reset has decimals.',
    breaks: [],
    warnings: ['RATE-9'],
    seenIn: 'koa-ratelimit 6.0.0, Discord, slowapi 0.1.10',
    ...resetting((at) => (at - 0.149).toFixed(6)),
  },
  {
    id: 'reset-always-now',
    description: 'Reset is always the present moment.',
    breaks: [],
    undecidable: {
      requirement: 'RATE-9',
      because:
        'A bucket that gives back a request every second and rounds down announces the present second as well, and the clocks of a service may differ by two seconds: no single Reset is wrong, and none is promised to bring more than one request.',
    },
    seenIn: 'cnpm/koa-limit#3',
    ...resetting((_, now) => String(now)),
  },
  {
    id: 'reset-moves-with-every-request',
    description: 'Reset is always a whole window away.',
    breaks: [],
    undecidable: {
      requirement: 'RATE-9',
      because:
        'A sliding log whose oldest entry is the present one, and a bucket that is nearly empty, move their Reset with every request; the specification does not promise that it stands still.',
    },
    seenIn: 'cnpm/koa-limit#3, where a request starts the window anew',
    ...resettingByWindow((_, now, window) => now + window),
  },
  {
    id: 'reset-of-the-first-window',
    description: 'Reset is for ever the end of the first window that a caller had.',
    breaks: [],
    undecidable: {
      requirement: 'RATE-9',
      because:
        'It is true in the first window, and its first lie is told when Retry-After has just passed: it is younger then than two seconds, by which rounding and the clocks of a conforming service may differ. A request a few seconds later would tell; the examination sends none beyond the 62 that it needs.',
    },
    seenIn: 'node-ratelimiter#36',
    ...freezingReset(),
  },
];

/** Writes Reset in another way; both times in Unix seconds. */
function resetting(write: (reset: number, now: number) => string): Seams {
  return onResponse(
    () => true,
    (response, _, { now }) =>
      mapHeader(response, 'X-RateLimit-Reset', (reset) => write(Number(reset), Math.floor(now() / 1000))),
  );
}

/** The same where the length of the window matters, in seconds. */
function resettingByWindow(write: (reset: number, now: number, window: number) => number): Seams {
  return {
    wrapService: (handle, context) =>
      resetting((at, now) => String(write(at, now, context.plans.minuteSeconds))).wrapService?.(
        handle,
        context,
      ) ?? handle,
  };
}

function freezingReset(): Seams {
  return {
    wrapLimiter(limiter) {
      const first = new Map<string, number>();
      return {
        consume(caller, request, now) {
          const decision = limiter.consume(caller, request, now);
          const resetAt = first.get(caller.id) ?? decision.resetAt;
          first.set(caller.id, resetAt);
          return { ...decision, resetAt };
        },
      };
    },
  };
}
