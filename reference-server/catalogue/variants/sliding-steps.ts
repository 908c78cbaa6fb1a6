import type { Decision } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import { countingMinute } from '../wrappers/counting.ts';
import type { Variant } from './variant.ts';
import { conforms } from './variant.ts';

const SECOND = 1000;

/** Conforming windows that slide in steps. */
export const slidingSteps: readonly Variant[] = [
  {
    id: 'window-slides-by-the-second',
    topic: 'K12',
    description:
      'The window slides in steps of a second, so that all requests of one second come back at the same moment.',
    expected: conforms,
    seenIn: 'sliding logs whose timestamps are whole seconds',
    ...slidingInSeconds(),
  },
];

function slidingInSeconds(): Seams {
  return countingMinute(() => {
    /** When each counted request comes back. */
    const expiries = new Map<string, readonly number[]>();
    return {
      consume({ id, quotas: [quota] }, _request, now): Decision {
        const { limit, windowMs } = quota ?? { limit: 0, windowMs: 0 };
        const open = (expiries.get(id) ?? []).filter((expiry) => expiry > now);
        const allowed = open.length < limit;
        const counted = allowed ? [...open, Math.ceil(now / SECOND) * SECOND + windowMs] : open;
        expiries.set(id, counted);
        const next = counted[0] ?? now;
        const remaining = limit - counted.length;
        return { allowed, limit, remaining, resetAt: next, retryAt: allowed ? now : next };
      },
    };
  });
}
