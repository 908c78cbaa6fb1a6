import type { Decision } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import { countingMinute } from '../wrappers/counting.ts';
import type { Variant } from './variant.ts';
import { conforms } from './variant.ts';

/** Conforming sliding counters that differ from the server's own. */
export const weightedCounters: readonly Variant[] = [
  {
    id: 'sliding-counter-resets-in-a-window',
    topic: 'K13',
    description:
      'The limiter is a sliding counter with a weight rounded down to whole requests, and Reset is always a window from now.',
    expected: conforms,
    seenIn: 'throttled-py 3.5.0, whose sliding window returns its period as reset_after',
    ...countingWeighted({ round: Math.floor, phaseMs: 0 }),
  },
  {
    id: 'sliding-counter-with-exact-weight-resets-in-a-window',
    topic: 'K13',
    description:
      'The limiter is a sliding counter with an exact weight, whose windows begin 35.7 s after the minute of the clock, and Reset is always a window from now.',
    expected: conforms,
    seenIn: 'counters whose windows have a phase for each key, as in django-ratelimit',
    ...countingWeighted({ round: (weight) => weight, phaseMs: 35_700 }),
  },
];

interface Weighting {
  /** What the weight of the former window is rounded to. */
  readonly round: (weight: number) => number;
  /** How long after a minute of the clock a window begins. */
  readonly phaseMs: number;
}

interface Counts {
  /** The number of the window on the clock. */
  readonly window: number;
  readonly previous: number;
  readonly current: number;
}

function countingWeighted({ round, phaseMs }: Weighting): Seams {
  return countingMinute(() => {
    const counters = new Map<string, Counts>();
    return {
      consume({ id, quotas: [quota] }, _request, now): Decision {
        const { limit, windowMs } = quota ?? { limit: 0, windowMs: 1 };
        const since = now - phaseMs;
        const { previous, current, window } = rolled(counters.get(id), Math.floor(since / windowMs));
        const used = round(previous * (1 - (since % windowMs) / windowMs)) + current;
        const allowed = used + 1 <= limit;
        counters.set(id, { window, previous, current: allowed ? current + 1 : current });
        const remaining = Math.floor(Math.max(0, limit - used - (allowed ? 1 : 0)));
        // After another window, at most the requests of this one count, and each of them for less than one.
        return {
          allowed,
          limit,
          remaining,
          resetAt: now + windowMs,
          retryAt: allowed ? now : now + windowMs,
        };
      },
    };
  });
}

function rolled(counts: Counts | undefined, window: number): Counts {
  if (counts?.window === window) return counts;
  return { window, previous: counts?.window === window - 1 ? counts.current : 0, current: 0 };
}
