import type { Quota } from '../../limiters/algorithm.ts';
import { createLimiter } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import { parseNewCategory } from '../../service/categories.ts';
import { countingMinute, enforcing, minuteOf, withQuota } from '../wrappers/counting.ts';
import { always, inTurn, mapHeader } from '../wrappers/responses.ts';
import type { StatedFault, StatedFaults } from './fault.ts';

/** The share of a window for which its count is stored. */
const STORED_SHARE = 1 / 60;

function windowOf(
  description: string,
  factor: number,
  described: Pick<StatedFault, 'breaks' | 'violates' | 'undecidable' | 'seenIn'>,
): StatedFault {
  return { description, ...described, ...withQuota('minute', scaledBy(factor)) };
}

/** The same quota with the length of its window multiplied by this factor. */
function scaledBy(factor: number): (quota: Quota) => Quota {
  return (quota) => ({ ...quota, windowMs: Math.ceil(quota.windowMs * factor) });
}

function bucketFilledIn(factor: number): Seams {
  return countingMinute(() => {
    const buckets = createLimiter('token-bucket', [], 0);
    return (caller, request, now) =>
      buckets({ ...caller, quotas: caller.quotas.map(scaledBy(factor)) }, request, now);
  });
}

/** @param most how many windows of a key are dropped. */
function droppingWindows(storedShare: number, most = Number.POSITIVE_INFINITY): Seams {
  return countingMinute((limiter) => {
    let life = 0;
    let begun: number | undefined;
    return (caller, request, now) => {
      const storedMs = (caller.quotas[0]?.windowMs ?? 0) * storedShare;
      begun ??= now;
      if (now - begun >= storedMs && life < most) [life, begun] = [life + 1, now];
      return limiter({ ...caller, id: `${caller.id} ${life}` }, request, now);
    };
  });
}

/** By how much the windows of two instances differ, in seconds. */
const APART = 20;

/** The share of a window that its count outlives. */
const COUNT_LIVES = 9 / 10;

/** Faults of the chapter "Limit enforcement": the length of a window, and the refill rate of a bucket. */
export const limitWindows: StatedFaults = {
  'window-of-half-a-minute': windowOf('The window is half as long as the plan’s.', 1 / 2, {
    breaks: ['LIMIT-4'],
    seenIn: 'limits configured in another unit (tollbooth counts by the second)',
  }),
  'window-of-two-minutes': windowOf('The window is twice as long as the plan’s.', 2, {
    breaks: ['LIMIT-4', 'RATE-9'],
    seenIn: 'limits configured in another unit',
  }),
  'window-of-a-second': windowOf('The window is a sixtieth of the plan’s.', 1 / 60, {
    breaks: ['LIMIT-4'],
    seenIn: 'tollbooth, which counts by the second',
  }),
  'window-of-45-seconds': windowOf('The window is three quarters of the plan’s.', 3 / 4, {
    breaks: ['LIMIT-4'],
    seenIn: 'windows shortened to tolerate clock differences',
  }),
  'window-of-55-seconds': windowOf('The window is eleven twelfths of the plan’s.', 11 / 12, {
    breaks: ['LIMIT-4'],
    seenIn: 'windows shortened to tolerate clock differences',
  }),
  'window-of-58-seconds': windowOf('The window is two seconds shorter than the plan’s.', 29 / 30, {
    violates: 'LIMIT-4',
    undecidable:
      'Both ends of a window are known in whole seconds only, from two clocks that may differ and with network delay each time. A window within a few seconds of a minute may be a minute, also where three in a row add the differences up.',
    seenIn: 'windows shortened to tolerate clock differences',
  }),
  'window-of-75-seconds': windowOf('The window is five quarters of the plan’s.', 5 / 4, {
    breaks: ['LIMIT-4', 'RATE-9'],
    seenIn: 'a sweep every fifteen seconds that ends windows late',
  }),
  'window-of-an-hour': windowOf('The window is sixty times the plan’s.', 60, {
    breaks: ['LIMIT-4', 'RATE-9'],
    seenIn: 'the windows of GitHub and Reddit in a copied configuration',
  }),
  'bucket-fills-half-again-as-fast': {
    description: 'A token bucket as large as the limit is refilled in two thirds of a window.',
    breaks: ['LIMIT-4'],
    seenIn: 'refill rates configured by hand, separately from the limit',
    ...bucketFilledIn(2 / 3),
  },
  'bucket-fills-half-as-fast': {
    description: 'A token bucket as large as the limit is refilled in two windows.',
    breaks: ['RATE-9'],
    seenIn: 'refill rates configured by hand, separately from the limit',
    ...bucketFilledIn(2),
  },
  'window-forgotten-after-a-second': {
    description: 'A window is dropped after a sixtieth of the time that it announces.',
    breaks: ['RATE-7', 'LIMIT-1'],
    seenIn: 'a time to live in another unit than the headers: PEXPIRE in place of EXPIRE',
    ...droppingWindows(STORED_SHARE),
  },
  'window-forgotten-once': {
    description: 'A window is dropped after two seconds, once, and a new one begins.',
    breaks: ['RATE-9'],
    seenIn: 'counters in the memory of a process that is restarted (gunicorn’s max_requests)',
    ...droppingWindows(2 * STORED_SHARE, 1),
  },
  'window-forgotten-after-a-third': {
    description: 'A window is dropped after a third of the time that it announces, and a new one begins.',
    warnings: ['RATE-9'],
    needs: ['thorough'],
    seenIn: 'Resilience4j’s limiters in a Guava cache with expireAfterWrite',
    ...droppingWindows(1 / 3),
  },

  // Faults of the chapter "Rate-limit headers" about counts and windows that differ.
  'a-tenth-too-many-under-a-full-remaining': {
    description:
      'A tenth more than the limit is accepted, and until that is used Remaining is one less than the limit.',
    breaks: ['RATE-7'],
    seenIn: 'grace on top of a limit, with Remaining cut to what the plan permits',
    ...enforcing(
      (limit) => limit + Math.ceil(limit / 10),
      ({ remaining }, limit) => Math.min(limit - 1, remaining),
    ),
  },
  'rejected-creations-count-twice': {
    description: 'A creation that gets 400 is counted once more after its response.',
    breaks: ['RATE-7'],
    seenIn: 'error handlers through which a request passes the limiter again',
    ...countingMinute((limiter) => {
      let rejected = false;
      return (caller, request, now) => {
        if (rejected) limiter(caller, request, now);
        const decision = limiter(caller, request, now);
        rejected = decision.allowed && request.method === 'POST' && !parseNewCategory(request).ok;
        return decision;
      };
    }),
  },
  'reset-of-two-instances-in-turn': {
    description: 'Every other response has a Reset that is twenty seconds earlier.',
    warnings: ['RATE-9'],
    seenIn:
      'instances behind one address that share a count and begin their windows each by a clock of its own',
    ...inTurn(always, (response, turn) =>
      mapHeader(response, 'X-RateLimit-Reset', (reset) => String(Number(reset) - (turn % 2) * APART)),
    ),
  },

  // Faults of the chapter "Limit enforcement" that show only to requests around the end of a window.
  'window-extended-by-each-request': {
    description: 'Each accepted request begins the window anew, so it never ends while requests come.',
    breaksWith: { thorough: ['LIMIT-4'] },
    undecidable:
      'It shows only to a client that goes on into the next window: the requests of the first window end with a 429, after which any client waits. A run without --thorough sends one request more.',
    seenIn:
      'pyeve/eve#767, limits#28 (fixed-window-elastic-expiry), INCR followed by EXPIRE for every request',
    ...countingMinute(() => {
      let [count, end] = [0, 0];
      return (caller, _, now) => {
        const { limit, windowMs } = minuteOf(caller);
        if (now >= end) count = 0;
        const allowed = count < limit;
        if (allowed) [count, end] = [count + 1, now + windowMs];
        return { allowed, limit, remaining: limit - count, resetAt: end, retryAt: allowed ? now : end };
      };
    }),
  },
  'count-dropped-late-in-the-window': {
    description: 'The count of a window is lost in its last tenth; the window ends when announced.',
    breaksWith: { thorough: ['RATE-7'] },
    undecidable:
      'It shows only to a client that uses the last tenth of a window. A run without --thorough exhausts the quota early, and then has to wait.',
    seenIn: 'a time to live of the counter that is shorter than the window (Southclaws/swirl#2)',
    ...countingMinute((limiter) => {
      let begun: number | undefined;
      return (caller, request, now) => {
        const { windowMs } = minuteOf(caller);
        if (begun === undefined || now >= begun + windowMs) begun = now;
        const part = now < begun + COUNT_LIVES * windowMs ? 'counted' : 'lost';
        const decision = limiter({ ...caller, id: `${caller.id} ${begun} ${part}` }, request, now);
        const resetAt = begun + windowMs;
        return { ...decision, resetAt, retryAt: decision.allowed ? now : resetAt };
      };
    }),
  },
};
