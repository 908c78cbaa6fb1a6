import type { Seams } from '../../seams.ts';
import { composed } from '../../seams.ts';
import { headerValues } from '../../service/message.ts';
import { blocking } from '../wrappers/blocking.ts';
import { bucketOf, onDecision } from '../wrappers/counting.ts';
import type { SentResponse } from '../wrappers/responses.ts';
import {
  always,
  changingHeader,
  changingRetryAfter,
  delayed,
  editing,
  hasStatus,
  inTurn,
  mapHeader,
  onResponse,
} from '../wrappers/responses.ts';
import { describedWindow } from './limiters.ts';
import type { StatedVariants } from './variant.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** Where a 429 has no Date, a date in Retry-After shows no seconds. */
const UNDATED_WAIT = {
  warnings: ['HTTP-2'],
  inconclusive: ['RETRY-4'],
  because: 'A date says how many seconds to wait only beside the Date of the same response.',
} as const;

/** The date that is `seconds` after `now`, in milliseconds. */
function dateAfter(seconds: number, now: number): string {
  return new Date(now + 1000 * seconds).toUTCString();
}

function rfc850(date: Date): string {
  const [, day, month, year = '', time] = date.toUTCString().split(' ');
  return `${DAYS[date.getUTCDay()]}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
}

/** The same with a Retry-After of this many windows on every 429 response. */
function waitingWindows(windows: number, seams: Seams): Seams {
  const waiting = changingHeader(hasStatus(429), 'Retry-After', (_, { plans }) =>
    String(Math.ceil(windows * plans.minuteSeconds)),
  );
  return composed(seams, waiting);
}

const SECOND = 1000;
const HOUR = 3_600_000;

/** Conforming forms and lengths of Retry-After. */
export const retryAfter: StatedVariants = {
  'retry-after-as-date': {
    topic: 'K01',
    description: 'Retry-After is an HTTP-date.',
    seenIn: 'Flask-Limiter with retry_after="http-date"',
    ...changingRetryAfter(dateAfter),
  },
  'retry-after-as-date-without-date': {
    topic: 'K29',
    description: 'Retry-After is an HTTP-date, and no response has a Date.',
    ...UNDATED_WAIT,
    seenIn: 'services without a framework',
    ...composed(changingRetryAfter(dateAfter), editing(always, { without: ['Date'] })),
  },
  'retry-after-as-date-of-a-gateway': {
    topic: 'K29',
    description: 'Retry-After is an HTTP-date, and a 429 has no Date, as the only response.',
    ...UNDATED_WAIT,
    seenIn: 'gateways that write the responses beyond the limit themselves',
    ...composed(changingRetryAfter(dateAfter), editing(hasStatus(429), { without: ['Date'] })),
  },
  'retry-after-as-rfc-850-date': {
    topic: 'K02',
    description:
      'Retry-After is a date in the form of RFC 850, which recipients must accept and senders must not generate.',
    warnings: ['RETRY-2'],
    seenIn: 'RFC 9110 §5.6.7; Java programs of the nineties that are still in use',
    ...changingRetryAfter((seconds, now) => rfc850(new Date(now + 1000 * seconds))),
  },
  'retry-after-everywhere': {
    topic: 'K04',
    description: 'Every response has a Retry-After, with any status.',
    seenIn: 'Flask-Limiter, slowapi, rate-limiter-flexible’s README',
    ...editing((response) => response.status !== 429, { lines: { 'Retry-After': '60' } }),
  },
  'retry-after-a-whole-window': {
    topic: 'K05',
    description: 'Retry-After is always the length of the window.',
    seenIn: 'limiters that write their configuration into the header; go-chi/httprate, Fiber',
    algorithm: 'fixed-window',
    ...changingHeader(hasStatus(429), 'Retry-After', (seconds, { plans }) =>
      String(Math.max(Number(seconds), Math.ceil(plans.minuteSeconds))),
    ),
  },
  'retry-after-a-second-more': {
    topic: 'K06',
    description: 'Retry-After is rounded up and one second longer than the wait: 61 at most.',
    seenIn: 'int(x + 1), in Flask-Limiter’s family',
    ...changingRetryAfter((seconds) => String(seconds + 1)),
  },
  'penalty-of-two-windows': {
    topic: 'K07',
    description: 'The first request beyond the limit blocks the key for two windows.',
    warnings: ['LIMIT-4'],
    seenIn: 'rate-limiter-flexible with blockDuration',
    ...blocking(2),
  },
  'penalty-of-an-hour': {
    topic: 'K07',
    description: 'The first request beyond the limit blocks the key for sixty windows.',
    inconclusive: ['RETRY-3', 'RETRY-4', 'LIMIT-4'],
    because:
      'A run does not wait this long to check Retry-After, and the cause may be a daily limit or a ban.',
    seenIn: 'rate-limiter-flexible with blockDuration; fail2ban',
    ...blocking(60),
  },
  'retry-after-cut-to-seconds': {
    topic: 'K08',
    description: 'Retry-After is rounded down, so it is less than a second too short.',
    warnings: ['RETRY-4'],
    seenIn: 'koa-ratelimit 6.0.0, bucket4j’s example, django’s time_left',
    ...changingRetryAfter((seconds) => String(seconds - 1)),
  },
  'retry-after-zero-and-true': {
    topic: 'K75',
    description: 'A 429 response is delayed until a token is available, and then has Retry-After: 0.',
    seenIn: 'tower_governor; HAProxy’s tarpit before a bucket',
    algorithm: 'token-bucket',
    ...onResponse(hasStatus(429), (response) => ({
      ...mapHeader(response, 'Retry-After', () => '0'),
      delayMs: 1000 * Number(headerValues(response, 'Retry-After')[0] ?? 0),
    })),
  },

  // Conforming limiters behind a proxy that writes a Retry-After of two windows, and whose headers do not show when the quota is back.
  'two-windows-under-headers-of-the-day': {
    topic: 'K05',
    description: 'Retry-After is always two windows, and the headers describe the day.',
    warnings: ['LIMIT-4'],
    seenIn: 'nginx with a fixed add_header Retry-After before a service that shows the quota of the day',
    ...waitingWindows(2, describedWindow['headers-describe-the-day'] ?? {}),
  },
  'two-windows-after-a-small-bucket': {
    topic: 'K05',
    description: 'The limiter is a token bucket of ten, and Retry-After is always two windows.',
    warnings: ['LIMIT-2', 'LIMIT-4'],
    seenIn: 'nginx limit_req with burst and a fixed add_header Retry-After',
    ...waitingWindows(
      2,
      bucketOf(() => 10),
    ),
  },
  'a-window-after-a-slow-bucket': {
    topic: 'K05',
    description:
      'The limiter is a token bucket of five sixths of the limit before slow responses, so that it nearly reaches the limit, and Retry-After is always a window.',
    warnings: ['LIMIT-2'],
    seenIn: 'nginx limit_req with burst and a fixed add_header Retry-After, before a slow database',
    ...waitingWindows(1, {
      ...bucketOf((limit) => Math.floor((limit * 5) / 6)),
      ...delayed((_, intervalMs) => intervalMs / 9),
    }),
  },

  // Conforming forms of Reset, and wrong clocks.
  'reset-rounded-down': {
    topic: 'K24',
    description: 'Reset is rounded down to the second.',
    seenIn: 'ulule/limiter, koa-ratelimit on Redis',
    ...resetting((resetAt) => resetAt - (resetAt % SECOND)),
  },
  'reset-jitters': {
    topic: 'K25',
    description: 'Within one window, Reset is in turn a second early, exact and a second late.',
    seenIn: 'Tyk, which computes it from the current time in each response',
    ...resetting((resetAt, turn) => resetAt + ((turn % 3) - 1) * SECOND),
  },
  'reset-with-decimals': {
    topic: 'K26',
    description: 'Reset is a Unix timestamp with a fraction of a second.',
    warnings: ['RATE-9'],
    seenIn: 'Discord, koa-ratelimit 6.0.0 in memory, slowapi 0.1.10',
    ...changingHeader(always, 'X-RateLimit-Reset', (reset) => `${Number(reset) - 1}.851159`),
  },
  'clock-hours-ahead': {
    topic: 'K27',
    description:
      'The server’s clock is five hours ahead, in Date, in Reset and in Retry-After, which is a date.',
    seenIn: 'containers that use local time as UTC',
    ...onResponse(always, (response, _, { now }) =>
      mapHeader(withClockOff(response, now(), 5 * HOUR), 'Retry-After', (seconds) =>
        dateAfter(Number(seconds), now() + 5 * HOUR),
      ),
    ),
  },
  'clocks-of-instances-apart': {
    topic: 'K27',
    description: 'The clock of every other response is 20 seconds behind, in Date and in Reset.',
    seenIn: 'instances behind one address without a common time service',
    ...inTurn(always, (response, turn, { now }) =>
      turn % 2 === 0 ? withClockOff(response, now(), -20 * SECOND) : response,
    ),
  },
  'store-clock-ahead': {
    topic: 'K28',
    description: 'Reset comes from a store whose clock is a second ahead of the server’s.',
    seenIn: 'Redis on another machine',
    ...resetting((resetAt) => resetAt + SECOND),
  },
  'no-date-header': {
    topic: 'K29',
    description: 'No response has a Date, as is allowed for a server without a clock.',
    warnings: ['HTTP-2'],
    seenIn: 'embedded HTTP servers; proxies that send responses themselves',
    ...editing(always, { without: ['Date'] }),
  },
};

/** Changes Reset, from its time in milliseconds and the number of the decision. */
function resetting(write: (resetAt: number, turn: number) => number): Seams {
  return {
    wrapLimiter(limiter, context) {
      let turn = 0;
      const numbered = onDecision((decision) => {
        turn += 1;
        return { ...decision, resetAt: write(decision.resetAt, turn) };
      });
      return numbered.wrapLimiter(limiter, context);
    },
  };
}

/** The same response with Date and Reset by a clock that is wrong by this many milliseconds. */
function withClockOff(response: SentResponse, now: number, offMs: number): SentResponse {
  const dated = mapHeader(response, 'Date', () => dateAfter(0, now + offMs));
  return mapHeader(dated, 'X-RateLimit-Reset', (reset) => String(Number(reset) + offMs / SECOND));
}
