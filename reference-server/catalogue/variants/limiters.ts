import type { Decision, Limiter } from '../../limiters/limiter.ts';
import { createLimiter } from '../../limiters/limiter.ts';
import type { SeamContext, Seams } from '../../seams.ts';
import type { Caller } from '../../service/callers.ts';
import type { Request } from '../../service/message.ts';
import { blocking } from '../wrappers/blocking.ts';
import { countingMinute, onDecision } from '../wrappers/counting.ts';
import { delayingResponses } from '../wrappers/delaying.ts';
import { intervalMs, minuteOf } from '../wrappers/small-bucket.ts';
import type { Variant } from './variant.ts';
import { conforms, conformsWithWarnings, incomplete, inconclusiveWithout429 } from './variant.ts';

const DAY_MS = 86_400_000;

/** Conforming ways to count a minute, in addition to the server's algorithms. */
export const limiters: readonly Variant[] = [
  {
    id: 'window-with-a-phase-for-each-key',
    topic: 'K11',
    description: 'Windows are aligned to the clock, with a different offset for each key.',
    expected: conforms,
    seenIn: 'django-ratelimit, which derives the offset from a crc32 of the key',
    ...withOffsets(),
  },
  {
    id: 'bucket-resets-at-next-token',
    topic: 'K15',
    description: 'The limiter is a token bucket whose Reset is the time of its next token.',
    expected: conforms,
    seenIn: 'Tyk, Guava-style buckets behind a header filter',
    algorithm: 'token-bucket',
    ...onDecision((decision, caller, { now }) => ({
      ...decision,
      resetAt: decision.allowed ? now() + Math.ceil(intervalMs(minuteOf(caller))) : decision.retryAt,
    })),
  },
  {
    id: 'cap-for-each-second',
    topic: 'K18',
    description: 'In addition to the minute, each second accepts at most a third of the limit.',
    expected: conformsWithWarnings('LIMIT-2', 'RATE-8'),
    seenIn: 'Kong and APISIX with limits for two windows',
    ...cappedEachSecond(),
  },
  inFlight(1),
  inFlight(2),
  inFlight(5),
  {
    id: 'queue-instead-of-429',
    topic: 'K19',
    description:
      'A request beyond the limit gets its response when the next window begins; no request gets 429.',
    expected: incomplete(
      'No request gets 429, so nothing shows what a 429 response would look like.',
      inconclusiveWithout429,
    ),
    seenIn: 'rate-limiter-flexible’s queue, nginx limit_req with delay, express-slow-down',
    ...queueing(),
  },
  {
    id: 'requests-beyond-limit-restart-window',
    topic: 'K34',
    description: 'Every request beyond the limit restarts the window.',
    expected: conforms,
    seenIn: '@fastify/rate-limit with continueExceeding',
    algorithm: 'fixed-window',
    ...blocking((windowMs) => windowMs),
  },
  {
    id: 'requests-beyond-limit-double-the-wait',
    topic: 'K34',
    description: 'Every further request beyond the limit doubles the wait, up to a day.',
    expected: conforms,
    seenIn: '@fastify/rate-limit with exponentialBackoff',
    algorithm: 'fixed-window',
    ...blocking((windowMs, inARow) => Math.min(DAY_MS, windowMs * 2 ** (inARow - 1))),
  },
];

/** The offset is a share of the window that depends on the caller's id; each key has a limiter with its own clock. */
function withOffsets(): Seams {
  return countingMinute(() => {
    const byKey = new Map<string, Limiter>();
    return {
      consume(caller, request, now) {
        const own = byKey.get(caller.id) ?? createLimiter('fixed-window', [], 0);
        byKey.set(caller.id, own);
        const letters = [...caller.id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
        const offsetMs = Math.floor((minuteOf(caller).windowMs * (letters % 97)) / 97);
        const { resetAt, retryAt, ...decision } = own.consume(caller, request, now + offsetMs);
        return { ...decision, resetAt: resetAt - offsetMs, retryAt: retryAt - offsetMs };
      },
    };
  });
}

/** How long a response takes where requests in flight are limited, in milliseconds. */
const RESPONSE_MS = 25;

/** A service that handles so many requests of a key at the same time, and answers 429 to others with a wait of a second. */
function inFlight(most: number): Variant {
  return {
    id: `${most}-in-flight`,
    topic: 'K18',
    description: `In addition to the minute, at most ${most} ${most === 1 ? 'request' : 'requests'} of a key may be in flight.`,
    expected: conformsWithWarnings('LIMIT-2', 'RATE-8'),
    seenIn: 'Stripe’s concurrency limiter; limits of concurrent requests in API gateways',
    ...limitingInFlight(most),
  };
}

function limitingInFlight(most: number): Seams {
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
  return { ...minutes, ...delayingResponses(delays) };
}

/** Answers 429 with a wait of a second and the headers of the last request where `turns` says so; such a request is not counted. */
export function turningAway(
  turns: (context: SeamContext) => (caller: Caller, request: Request, now: number) => boolean,
): Seams {
  return countingMinute((limiter, context) => {
    const last = new Map<string, Decision>();
    const isTurned = turns(context);
    return {
      consume(caller, request, now) {
        const isTurnedAway = isTurned(caller, request, now);
        const before = last.get(caller.id);
        if (before !== undefined && isTurnedAway) return { ...before, allowed: false, retryAt: now + 1000 };
        const decision = limiter.consume(caller, request, now);
        last.set(caller.id, decision);
        return decision;
      },
    };
  });
}

/** A second here is a sixtieth of the window, whatever its length. */
function cappedEachSecond(): Seams {
  return countingMinute((limiter) => {
    const seconds = createLimiter('fixed-window', [], 0);
    const last = new Map<string, Decision>();
    return {
      consume(caller, request, now) {
        const minute = minuteOf(caller);
        const cap = { ...minute, limit: Math.ceil(minute.limit / 3), windowMs: minute.windowMs / 60 };
        const second = seconds.consume({ ...caller, quotas: [cap] }, request, now);
        const before = last.get(caller.id);
        if (!second.allowed && before !== undefined) {
          return { ...before, allowed: false, retryAt: second.retryAt };
        }
        const decision = limiter.consume(caller, request, now);
        last.set(caller.id, decision);
        return decision;
      },
    };
  });
}

/** A request beyond the limit is counted when quota is available again, and gets its response then. */
function queueing(): Seams {
  const delays = new WeakMap<SeamContext, number>();
  const minutes = countingMinute((limiter, context) => {
    const lastAt = new Map<string, number>();
    return {
      consume(caller, request, now) {
        // After all requests that are already waiting.
        const from = Math.max(now, lastAt.get(caller.id) ?? 0);
        const first = limiter.consume(caller, request, from);
        const at = first.allowed ? from : first.retryAt;
        lastAt.set(caller.id, at);
        delays.set(context, at - now);
        return first.allowed ? first : limiter.consume(caller, request, at);
      },
    };
  });
  return { ...minutes, ...delayingResponses(delays) };
}
