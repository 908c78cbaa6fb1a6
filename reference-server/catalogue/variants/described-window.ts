import type { Decision } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import { withQuotaOf } from '../wrappers/counting.ts';
import type { Variant } from './variant.ts';
import { conforms } from './variant.ts';

/** How many requests of the day are left when the first request arrives, in the variant with a nearly exhausted day. */
const LEFT_OF_THE_DAY = 90;

/** How many requests were sent yesterday, at the same times. */
const YESTERDAY = 62;

/** Conforming choices of the window that the headers describe. */
export const describedWindow: readonly Variant[] = [
  {
    id: 'headers-describe-the-day',
    topic: 'K20',
    description: 'The headers always describe the day.',
    expected: conforms,
    seenIn: 'Tyk, whose headers show the quota; stacked express-rate-limit with the day inside',
    ...describing((_, day) => day),
  },
  {
    id: 'headers-describe-the-tighter',
    topic: 'K21',
    description: `Only ${LEFT_OF_THE_DAY} requests of the day are left, and the headers describe the window with fewer requests left.`,
    expected: conforms,
    seenIn: 'Envoy’s X-RateLimit headers, Kong',
    ...describing((minute, day) => {
      const left = day.remaining - (day.limit - LEFT_OF_THE_DAY);
      return left < minute.remaining ? { ...day, remaining: Math.max(0, left) } : minute;
    }),
  },
  {
    id: 'limit-flips-on-429',
    topic: 'K22',
    description: 'Accepted requests show the day, and 429 responses the minute.',
    expected: conforms,
    seenIn: 'two express-rate-limit middlewares, minute before day',
    ...describing((minute, day) => (minute.allowed ? day : minute)),
  },
  {
    id: 'remaining-of-the-day-on-429',
    topic: 'K23',
    description: 'Accepted requests show the minute, and 429 responses the day, of which much is left.',
    expected: conforms,
    seenIn: 'two express-rate-limit middlewares, day before minute, with skipFailedRequests',
    ...describing((minute, day) => (minute.allowed ? minute : day)),
  },
  {
    id: 'rolling-day-stands-still',
    topic: 'K41',
    description:
      'The headers describe a rolling day in which yesterday’s requests expire as fast as new ones are sent.',
    expected: conforms,
    seenIn: 'any sliding log of a day with a daily job',
    ...describing((minute, day) => ({
      ...day,
      remaining: day.limit - YESTERDAY,
      resetAt: Math.min(day.resetAt, minute.resetAt),
    })),
  },
];

/** Counts minute and day separately and enforces both; `shown` chooses the one that the headers describe. */
function describing(shown: (minute: Decision, day: Decision) => Decision): Seams {
  return {
    wrapLimiter(limiter) {
      const days = new Map<string, Decision>();
      return {
        consume(caller, request, now) {
          if (!caller.authenticated) return limiter.consume(caller, request, now);
          const minute = limiter.consume(withQuotaOf('minute', caller), request, now);
          const before = days.get(caller.id);
          const counts = minute.allowed || before === undefined;
          const day = counts ? limiter.consume(withQuotaOf('day', caller), request, now) : before;
          days.set(caller.id, day);
          if (!day.allowed) return day;
          return { ...shown(minute, day), allowed: minute.allowed, retryAt: minute.retryAt };
        },
      };
    },
  };
}
