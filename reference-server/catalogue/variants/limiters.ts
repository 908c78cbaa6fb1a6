import type { Decision } from '../../limiters/limiter.ts';
import { createLimiter } from '../../limiters/limiter.ts';
import type { SeamContext, Seams } from '../../seams.ts';
import type { Caller } from '../../service/callers.ts';
import type { Request } from '../../service/message.ts';
import { blocking } from '../wrappers/blocking.ts';
import type { Counting } from '../wrappers/counting.ts';
import {
  aroundEach,
  countingMinute,
  countingMinutes,
  intervalMs,
  minuteOf,
  onDecision,
  withClockAhead,
  withQuotaOf,
} from '../wrappers/counting.ts';
import { delayingResponses } from '../wrappers/responses.ts';
import type { StatedVariant, StatedVariants } from './variant.ts';
import { inconclusiveWithout429 } from './variant.ts';

/** How long a response takes where requests in flight are limited, in milliseconds. */
const RESPONSE_MS = 25;

/** A service that handles so many requests of a key at the same time, and answers 429 to others with a wait of a second. */
function inFlight(most: number): StatedVariant {
  const delays = new WeakMap<SeamContext, number>();
  const minutes = turningAway((context) => {
    const ends = new Map<string, readonly number[]>();
    return ({ id }, _, now) => {
      const busy = (ends.get(id) ?? []).filter((end) => end > now);
      if (busy.length >= most) return true;
      ends.set(id, [...busy, now + RESPONSE_MS]);
      delays.set(context, RESPONSE_MS);
      return false;
    };
  });
  return {
    topic: 'K18',
    description: `In addition to the minute, at most ${most} ${most === 1 ? 'request' : 'requests'} of a key may be in flight.`,
    warnings: ['LIMIT-2', 'RATE-8'],
    seenIn: 'Stripe’s concurrency limiter; limits of concurrent requests in API gateways',
    ...minutes,
    ...delayingResponses(delays),
  };
}

/** Answers 429 with a wait of a second and the headers of the last request where `turns` says so; such a request is not counted. */
export function turningAway(
  turns: (context: SeamContext) => (caller: Caller, request: Request, now: number) => boolean,
): Seams {
  return countingMinutes((limiter, context) => {
    const last = new Map<string, Decision>();
    const isTurned = turns(context);
    return (caller, request, now) => {
      const isTurnedAway = isTurned(caller, request, now);
      const before = last.get(caller.id);
      if (before !== undefined && isTurnedAway) return { ...before, allowed: false, retryAt: now + 1000 };
      const decision = limiter(caller, request, now);
      last.set(caller.id, decision);
      return decision;
    };
  });
}

/** A request beyond the limit that need not wait longer is counted when quota is available again, and gets its response then. */
export function queueing(create: Counting, longestMs: (caller: Caller) => number): Seams {
  const delays = new WeakMap<SeamContext, number>();
  const minutes = countingMinute((own, context) => {
    const limiter = create(own, context);
    let lastAt = 0;
    return (caller, request, now) => {
      // After all requests that are already waiting.
      const from = Math.max(now, lastAt);
      const first = limiter(caller, request, from);
      const at = first.allowed ? from : first.retryAt;
      const waits = at - now <= longestMs(caller);
      delays.set(context, waits ? at - now : 0);
      if (waits) lastAt = at;
      return first.allowed || !waits ? first : limiter(caller, request, at);
    };
  });
  return { ...minutes, ...delayingResponses(delays) };
}

const SECOND = 1000;

/** How long after the minute of the clock a window begins. */
const PHASE_MS = 35_700;

/** Conforming ways to count a minute, in addition to the server's algorithms. */
export const limiters: StatedVariants = {
  'window-with-a-phase-for-each-key': {
    topic: 'K11',
    description: 'Windows are aligned to the clock, with a different offset for each key.',
    seenIn: 'django-ratelimit, which derives the offset from a crc32 of the key',
    // The offset is a share of the window that depends on the caller's id; each key has a limiter with its own clock.
    ...countingMinute(() =>
      withClockAhead(createLimiter('fixed-window', [], 0), (caller) => {
        const letters = [...caller.id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
        return Math.floor((minuteOf(caller).windowMs * (letters % 97)) / 97);
      }),
    ),
  },
  'bucket-resets-at-next-token': {
    topic: 'K15',
    description: 'The limiter is a token bucket whose Reset is the time of its next token.',
    seenIn: 'Tyk, Guava-style buckets behind a header filter',
    algorithm: 'token-bucket',
    ...onDecision((decision, caller, _, now) => ({
      ...decision,
      resetAt: decision.allowed ? now + Math.ceil(intervalMs(minuteOf(caller))) : decision.retryAt,
    })),
  },
  'cap-for-each-second': {
    topic: 'K18',
    description: 'In addition to the minute, each second accepts at most a third of the limit.',
    warnings: ['LIMIT-2', 'RATE-8'],
    seenIn: 'Kong and APISIX with limits for two windows',
    // A second here is a sixtieth of the window, whatever its length.
    ...capped(1 / 60),
  },
  'cap-for-each-ten-seconds': {
    topic: 'K18',
    description: 'In addition to the minute, each ten seconds accept at most a third of the limit.',
    warnings: ['LIMIT-2'],
    inconclusive: ['RATE-8'],
    because: 'A wait that does not end at Reset may be about a limit that no header shows.',
    seenIn: 'Tyk and AWS WAF with a short window before the plan’s; limits of ten seconds at Cloudflare',
    testedWith: 'a disposable key',
    ...capped(1 / 6),
  },
  '1-in-flight': inFlight(1),
  '5-in-flight': inFlight(5),
  'queue-instead-of-429': {
    topic: 'K19',
    description:
      'A request beyond the limit gets its response when the next window begins; no request gets 429.',
    inconclusive: inconclusiveWithout429,
    because: 'No request gets 429, so nothing shows what a 429 response would look like.',
    seenIn: 'rate-limiter-flexible’s queue, nginx limit_req with delay, express-slow-down',
    ...queueing(
      (limiter) => limiter,
      () => Number.POSITIVE_INFINITY,
    ),
  },
  'requests-beyond-limit-restart-window': {
    topic: 'K34',
    description: 'Every request beyond the limit restarts the window.',
    seenIn: '@fastify/rate-limit with continueExceeding',
    algorithm: 'fixed-window',
    ...blocking(1),
  },

  // Conforming windows that slide in steps.
  'window-slides-by-the-second': {
    topic: 'K12',
    description:
      'The window slides in steps of a second, so that all requests of one second come back at the same moment.',
    seenIn: 'sliding logs whose timestamps are whole seconds',
    ...countingMinute(() => {
      /** When each counted request comes back. */
      let expiries: readonly number[] = [];
      return ({ quotas: [quota] }, _request, now): Decision => {
        const { limit, windowMs } = quota ?? { limit: 0, windowMs: 0 };
        const open = expiries.filter((expiry) => expiry > now);
        const allowed = open.length < limit;
        expiries = allowed ? [...open, Math.ceil(now / SECOND) * SECOND + windowMs] : open;
        const next = expiries[0] ?? now;
        const remaining = limit - expiries.length;
        return { allowed, limit, remaining, resetAt: next, retryAt: allowed ? now : next };
      };
    }),
  },

  // A conforming sliding counter that differs from the server's own.
  'sliding-counter-with-exact-weight-resets-in-a-window': {
    topic: 'K13',
    description:
      'The limiter is a sliding counter with an exact weight, whose windows begin 35.7 s after the minute of the clock, and Reset is always a window from now.',
    seenIn: 'counters whose windows have a phase for each key, as in django-ratelimit',
    // After another window, at most the requests of this one count, and each of them for less than one.
    ...countingMinute(() => {
      const counter = withClockAhead(createLimiter('sliding-counter', [], 0), () => -PHASE_MS);
      return (caller, request, now) => {
        const decision = counter(caller, request, now);
        const resetAt = now + minuteOf(caller).windowMs;
        return { ...decision, resetAt, retryAt: decision.allowed ? now : resetAt };
      };
    }),
  },
};

/** How many requests of the day are left when the first request arrives, in the variant with a nearly exhausted day. */
const LEFT_OF_THE_DAY = 90;

/** How many requests were sent yesterday, at the same times. */
const YESTERDAY = 62;

/** Conforming choices of the window that the headers describe. */
export const describedWindow: StatedVariants = {
  'headers-describe-the-day': {
    topic: 'K20',
    description: 'The headers always describe the day.',
    seenIn: 'Tyk, whose headers show the quota; stacked express-rate-limit with the day inside',
    ...describing((_, day) => day),
  },
  'headers-describe-the-tighter': {
    topic: 'K21',
    description: `Only ${LEFT_OF_THE_DAY} requests of the day are left, and the headers describe the window with fewer requests left.`,
    seenIn: 'Envoy’s X-RateLimit headers, Kong',
    ...describing((minute, day) => {
      const left = day.remaining - (day.limit - LEFT_OF_THE_DAY);
      return left < minute.remaining ? { ...day, remaining: Math.max(0, left) } : minute;
    }),
  },
  'limit-flips-on-429': {
    topic: 'K22',
    description: 'Accepted requests show the day, and 429 responses the minute.',
    seenIn: 'two express-rate-limit middlewares, minute before day',
    ...describing((minute, day) => (minute.allowed ? day : minute)),
  },
  'remaining-of-the-day-on-429': {
    topic: 'K23',
    description: 'Accepted requests show the minute, and 429 responses the day, of which much is left.',
    seenIn: 'two express-rate-limit middlewares, day before minute, with skipFailedRequests',
    ...describing((minute, day) => (minute.allowed ? minute : day)),
  },
  'rolling-day-stands-still': {
    topic: 'K41',
    description:
      'The headers describe a rolling day in which yesterday’s requests expire as fast as new ones are sent.',
    seenIn: 'any sliding log of a day with a daily job',
    ...describing((minute, day) => ({
      ...day,
      remaining: day.limit - YESTERDAY,
      resetAt: Math.min(day.resetAt, minute.resetAt),
    })),
  },
};

/** Counts minute and day separately and enforces both; `shown` chooses the one that the headers describe. */
function describing(shown: (minute: Decision, day: Decision) => Decision): Seams {
  return aroundEach((limiter) => {
    let day: Decision | undefined;
    return (caller, request, now) => {
      if (!caller.authenticated) return limiter(caller, request, now);
      const minute = limiter(withQuotaOf('minute', caller), request, now);
      if (minute.allowed || day === undefined) day = limiter(withQuotaOf('day', caller), request, now);
      if (!day.allowed) return day;
      return { ...shown(minute, day), allowed: minute.allowed, retryAt: minute.retryAt };
    };
  });
}

/** In addition to the minute, this share of its window accepts at most a third of the limit, which no header shows. */
function capped(share: number): Seams {
  return countingMinute((limiter) => {
    const caps = createLimiter('fixed-window', [], 0);
    let before: Decision | undefined;
    return (caller, request, now) => {
      const minute = minuteOf(caller);
      const quota = { ...minute, limit: Math.ceil(minute.limit / 3), windowMs: minute.windowMs * share };
      const cap = caps({ ...caller, quotas: [quota] }, request, now);
      if (!cap.allowed && before !== undefined) return { ...before, allowed: false, retryAt: cap.retryAt };
      before = limiter(caller, request, now);
      return before;
    };
  });
}
