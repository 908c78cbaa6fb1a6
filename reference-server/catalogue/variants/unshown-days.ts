import type { Decision } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import type { Caller } from '../../service/callers.ts';
import type { Variant } from './variant.ts';
import { incomplete } from './variant.ts';

const SECOND = 1000;

/** What was left of the day when the run began. */
const LEFT = 30;

const BECAUSE =
  'A 429 that asks for less than a window is about a day that no header shows; the next round ends otherwise.';

/** Days that earlier use has nearly exhausted, behind headers that only show the minute. */
export const unshownDays: readonly Variant[] = [
  {
    id: 'unshown-day-ends-in-50-seconds',
    topic: 'K40',
    description: 'The headers show the minute; of the day thirty requests are left, and it ends 50 s later.',
    expected: incomplete(BECAUSE, ['RATE-8'], 'LIMIT-2'),
    seenIn: 'stacked limiters of which only the one of the minute writes headers',
    ...behindTheMinute((first, used, now) =>
      now >= first + 50 * SECOND || used < LEFT ? now : first + 50 * SECOND,
    ),
  },
  {
    id: 'unshown-rolling-day',
    topic: 'K40',
    description:
      'The headers show the minute; of a rolling day thirty requests are left, and one comes back every 20 s.',
    expected: incomplete(BECAUSE, ['RATE-8', 'LIMIT-2', 'LIMIT-4', 'RETRY-3', 'RETRY-4']),
    seenIn: 'a log of the day behind the headers of the minute',
    ...behindTheMinute((first, used, now) => Math.max(now, first + (used - LEFT + 1) * 20 * SECOND)),
  },
];

/** @param acceptsAt when the day accepts the next request: from its first request on, after so many that were used. */
function behindTheMinute(acceptsAt: (first: number, used: number, now: number) => number): Seams {
  return {
    wrapLimiter(limiter) {
      const days = new Map<string, { readonly first: number; readonly used: number }>();
      const shown = new Map<string, Decision>();
      return {
        consume(caller, request, now) {
          if (!caller.authenticated) return limiter.consume(caller, request, now);
          const { first, used } = days.get(caller.id) ?? { first: now, used: 0 };
          const retryAt = acceptsAt(first, used, now);
          const last = shown.get(caller.id);
          if (retryAt > now && last !== undefined)
            return { ...current(last, caller, now), allowed: false, retryAt };
          const minute = limiter.consume(caller, request, now);
          if (minute.allowed) days.set(caller.id, { first, used: used + 1 });
          shown.set(caller.id, minute);
          return minute;
        },
      };
    },
  };
}

/** What the headers show of the minute: once its window has passed, a new one that nothing has used. */
function current(last: Decision, { quotas }: Caller, now: number): Decision {
  const minute = quotas.find(({ window }) => window === 'minute');
  if (last.resetAt > now || minute === undefined) return last;
  return { ...last, remaining: minute.limit, resetAt: now + minute.windowMs };
}
