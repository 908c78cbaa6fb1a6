import { headerValues } from '../../reference-server/message.ts';
import type { Seams } from '../../reference-server/seams.ts';
import { mapHeader, onReply, plus, status } from '../faults/answers.ts';
import { blocking } from './blocking.ts';
import type { Variant } from './variant.ts';
import { conforms, leftOpen, warnedOf } from './variant.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** Lawful forms and lengths of Retry-After. */
export const retryAfter: readonly Variant[] = [
  {
    id: 'retry-after-as-date',
    row: 'K01',
    says: 'Retry-After is an HTTP-date.',
    deserves: conforms,
    seen: 'Flask-Limiter with retry_after="http-date"',
    ...waiting((seconds, now) => new Date(now + 1000 * seconds).toUTCString()),
  },
  {
    id: 'retry-after-as-rfc-850-date',
    row: 'K02',
    says: 'Retry-After is a date in the form of RFC 850, which recipients must read and senders must not write.',
    deserves: warnedOf('RETRY-2'),
    seen: 'RFC 9110 §5.6.7; Java programs of the nineties that are still in service',
    ...waiting((seconds, now) => rfc850(new Date(now + 1000 * seconds))),
  },
  {
    id: 'retry-after-as-asctime-date',
    row: 'K02',
    says: 'Retry-After is a date as asctime() writes it, which recipients must read and senders must not write.',
    deserves: warnedOf('RETRY-2'),
    seen: 'RFC 9110 §5.6.7; CGI programs in C',
    ...waiting((seconds, now) => asctime(new Date(now + 1000 * seconds))),
  },
  {
    id: 'retry-after-everywhere',
    row: 'K04',
    says: 'Every answer has a Retry-After, whether it refuses or not.',
    deserves: conforms,
    seen: 'Flask-Limiter, slowapi, rate-limiter-flexible’s README',
    ...onReply(
      (reply) => reply.status !== 429,
      (reply) => plus(reply, ['Retry-After', '60']),
    ),
  },
  {
    id: 'retry-after-a-whole-window',
    row: 'K05',
    says: 'Retry-After is the length of the window, however much of it has passed.',
    deserves: conforms,
    seen: 'limiters that write their configuration into the header; go-chi/httprate, Fiber',
    algorithm: 'fixed-window',
    ...onReply(status(429), (reply, _, { plans }) =>
      mapHeader(reply, 'Retry-After', (seconds) =>
        String(Math.max(Number(seconds), Math.ceil(plans.minuteSeconds))),
      ),
    ),
  },
  {
    id: 'retry-after-twice-as-long',
    row: 'K05',
    says: 'Retry-After is twice as long as needed.',
    deserves: warnedOf('LIMIT-4'),
    seen: 'services that want room for retries of everybody at once',
    ...waiting((seconds) => String(2 * seconds)),
  },
  {
    id: 'retry-after-a-second-more',
    row: 'K06',
    says: 'Retry-After is a second longer than the wait, rounded up: 61 at most.',
    deserves: conforms,
    seen: 'int(x + 1), in Flask-Limiter’s family',
    ...waiting((seconds) => String(seconds + 1)),
  },
  {
    id: 'penalty-of-two-windows',
    row: 'K07',
    says: 'The first request beyond the limit blocks the key for two windows.',
    deserves: warnedOf('LIMIT-4'),
    seen: 'rate-limiter-flexible with blockDuration',
    ...blocking((windowMs) => 2 * windowMs),
  },
  {
    id: 'penalty-of-an-hour',
    row: 'K07',
    says: 'The first request beyond the limit blocks the key for sixty windows.',
    deserves: leftOpen(
      'Nobody waits so long to see whether the wait is true, and a day or a ban might be the reason.',
      ['RETRY-3', 'RETRY-4', 'LIMIT-4'],
    ),
    seen: 'rate-limiter-flexible with blockDuration; fail2ban with a polite status',
    ...blocking((windowMs) => 60 * windowMs),
  },
  {
    id: 'retry-after-cut-to-seconds',
    row: 'K08',
    says: 'Retry-After is rounded down, so that it is less than a second short.',
    deserves: warnedOf('RETRY-4'),
    seen: 'koa-ratelimit 6.0.0, bucket4j’s example, django’s time_left',
    ...waiting((seconds) => String(seconds - 1)),
  },
  {
    id: 'retry-after-zero-and-true',
    row: 'K75',
    says: 'A 429 is held back until a token is there, and then says Retry-After: 0.',
    deserves: conforms,
    seen: 'tower_governor; HAProxy’s tarpit before a bucket',
    algorithm: 'token-bucket',
    ...onReply(status(429), (reply) => ({
      ...mapHeader(reply, 'Retry-After', () => '0'),
      delayMs: 1000 * Number(headerValues(reply, 'Retry-After')[0]),
    })),
  },
];

/** Writes the Retry-After of a 429 otherwise, from the true seconds and the time in milliseconds. */
function waiting(write: (seconds: number, now: number) => string): Seams {
  return onReply(status(429), (reply, _, { now }) =>
    mapHeader(reply, 'Retry-After', (seconds) => write(Number(seconds), now())),
  );
}

function rfc850(date: Date): string {
  const [, day, month, year = '', time] = date.toUTCString().split(' ');
  return `${DAYS[date.getUTCDay()]}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
}

function asctime(date: Date): string {
  const [weekday = '', day = '', month, year, time] = date.toUTCString().split(' ');
  return `${weekday.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`;
}
