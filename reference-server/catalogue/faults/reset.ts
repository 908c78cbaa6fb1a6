import type { Limiter } from '../../limiters/limiter.ts';
import { createLimiter } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import { aroundEach, countingMinute } from '../wrappers/counting.ts';
import {
  always,
  changingHeader,
  hasStatus,
  mapHeader,
  onResponse,
  withoutHeaders,
} from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';

const THREE_HOURS = 10_800;

/** Faults of the chapter "Rate-limit headers": the value of Reset. */
export const reset: StatedFaults = {
  'reset-in-seconds-left': {
    description: 'Reset is the number of seconds until the reset, not a timestamp.',
    breaks: ['RATE-9'],
    seenIn: '@fastify/rate-limit, @nestjs/throttler, Envoy, Kong, APISIX',
    ...resetting((reset, now) => Math.max(0, reset - now)),
  },
  'reset-in-milliseconds': {
    description: 'Reset is in milliseconds.',
    breaks: ['RATE-9'],
    seenIn: 'RocketChat/docs-old#1358',
    ...resetting((reset) => reset * 1000),
  },
  'reset-hours-away-undated': {
    description: 'Reset is three hours too late, and no response has a Date.',
    warnings: ['RATE-9', 'HTTP-2'],
    seenIn: 'local time used as UTC, behind Puma 5.6, which writes no Date',
    ...onResponse(always, (response) =>
      withoutHeaders(
        mapHeader(response, 'X-RateLimit-Reset', (at) => String(Number(at) + THREE_HOURS)),
        'Date',
      ),
    ),
  },
  'date-in-local-time': {
    description: 'Date is three hours too late, and Reset is right.',
    warnings: ['RATE-9'],
    seenIn: 'a Date written by hand from the local time, with "GMT" behind it',
    ...changingHeader(always, 'Date', (at) => new Date(Date.parse(at) + THREE_HOURS * 1000).toUTCString()),
  },
  'reset-in-the-past': {
    description: 'Reset is a minute before the response.',
    breaks: ['RATE-9'],
    seenIn: 'the start of the window in place of its end',
    ...resetting((_, now) => now - 60),
  },
  'reset-zero-on-429': {
    description: 'The Reset of a 429 response is 0.',
    breaks: ['RATE-9'],
    seenIn: 'apisix#9964, envoyproxy/ratelimit#165',
    ...changingHeader(hasStatus(429), 'X-RateLimit-Reset', () => '0'),
  },
  'reset-a-window-too-far': {
    description: 'Reset is the end of the next window.',
    breaks: ['RATE-9'],
    seenIn: 'limiters that keep two windows and show the expiry of the record',
    ...resetting((at, _, window) => at + window),
  },
  'reset-with-decimals': {
    description: 'Reset has decimals.',
    warnings: ['RATE-9'],
    seenIn: 'koa-ratelimit 6.0.0, Discord, slowapi 0.1.10',
    ...resetting((at) => (at - 0.149).toFixed(6)),
  },
  'reset-a-window-away-on-429': {
    description:
      'The Reset of a 429 response is a window away, while Retry-After names the end of the window.',
    warnings: ['RATE-9'],
    seenIn: 'error handlers that compute now + window by themselves',
    ...on429(windowsAheadOfTime, (windowMs) => windowMs),
  },
  'reset-always-now': {
    description: 'Reset is always the current time.',
    undecidable: {
      requirement: 'RATE-9',
      because:
        'A bucket that gives back a request every second and rounds down announces the current second, too, and the clocks of a service may differ by two seconds. No single Reset is wrong, and the specification does not say that more than one request is available then.',
    },
    seenIn: 'cnpm/koa-limit#3',
    ...resetting((_, now) => now),
  },
  'reset-ten-seconds-early': {
    description: 'Reset is ten seconds before the end of the window, and Retry-After is right.',
    warnings: ['RATE-9'],
    seenIn: 'gateways whose store has a clock of its own',
    ...resetting((reset, now) => Math.max(now, reset - 10)),
  },
  'reset-of-the-first-window': {
    description: 'Reset remains the end of the first window of the caller.',
    breaksWith: { thorough: ['RATE-9'] },
    undecidable: {
      requirement: 'RATE-9',
      because:
        'It is correct in the first window, and first wrong right after Retry-After has passed, by less than two seconds. Rounding and the clocks of a conforming service may differ by as much. The next window shows it, with --thorough.',
    },
    seenIn: 'node-ratelimiter#36',
    ...aroundEach((limiter) => {
      let resetAt: number | undefined;
      return (caller, request, now) => {
        const decision = limiter(caller, request, now);
        resetAt ??= decision.resetAt;
        return { ...decision, resetAt };
      };
    }),
  },
};

/** Counts the minute with this limiter, whose Reset lies this long after a 429, in milliseconds. */
function on429(create: () => Limiter, ahead: (windowMs: number) => number): Seams {
  return countingMinute(() => {
    const limiter = create();
    return (caller, request, now) => {
      const decision = limiter(caller, request, now);
      const windowMs = caller.quotas[0]?.windowMs ?? 0;
      return decision.allowed ? decision : { ...decision, resetAt: now + ahead(windowMs) };
    };
  });
}

/** Windows of the clock; the first request of a caller comes when two thirds of one have passed. */
function windowsAheadOfTime(): Limiter {
  const windows = createLimiter('fixed-window', [], 0);
  let ahead: number | undefined;
  return (caller, request, now) => {
    const windowMs = caller.quotas[0]?.windowMs ?? 0;
    ahead ??= Math.round((2 / 3) * windowMs) - (now % windowMs);
    const decision = windows(caller, request, now + ahead);
    return { ...decision, resetAt: decision.resetAt - ahead, retryAt: decision.retryAt - ahead };
  };
}

/** Changes the value of Reset; both times in Unix seconds, and the length of the window in seconds. */
function resetting(write: (reset: number, now: number, window: number) => number | string): Seams {
  return changingHeader(always, 'X-RateLimit-Reset', (reset, { now, plans }) =>
    String(write(Number(reset), Math.floor(now() / 1000), plans.minuteSeconds)),
  );
}
