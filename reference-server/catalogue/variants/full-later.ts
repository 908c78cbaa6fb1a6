import type { Decision } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import { countingMinute, onDecision } from '../wrappers/counting.ts';
import { minuteOf } from '../wrappers/small-bucket.ts';
import type { Variant } from './variant.ts';
import { conformsWithWarnings } from './variant.ts';

/** The share of the limit that comes back at once. */
const PIECE = 3 / 4;

/** Conforming limiters that are full again more than a window later, as their Reset says. */
export const fullLater: readonly Variant[] = [
  {
    id: 'bucket-in-pieces-resets-when-full',
    topic: 'K16',
    description:
      'A bucket gets three quarters of the limit back every three quarters of a window. Reset is the time at which it is full, and Retry-After waits for it.',
    expected: conformsWithWarnings('RATE-9', 'LIMIT-4'),
    seenIn: 'bucket4j with an interval refill, whose headers show the time to a full refill',
    ...fillingInPieces(),
  },
  {
    id: 'counter-resets-at-end-of-next-window',
    topic: 'K13',
    description:
      'The limiter is a sliding counter. Reset is the end of its next window, when the quota is full again, and Retry-After waits for it.',
    expected: conformsWithWarnings('RATE-9', 'LIMIT-4'),
    seenIn: 'counters that show when their stored record expires',
    algorithm: 'sliding-counter',
    ...onDecision((decision, caller) => {
      const resetAt = decision.resetAt + minuteOf(caller).windowMs;
      return { ...decision, resetAt, retryAt: decision.allowed ? decision.retryAt : resetAt };
    }),
  },
];

function fillingInPieces(): Seams {
  return countingMinute(() => {
    const buckets = new Map<string, { readonly missing: number; readonly piece: number }>();
    return {
      consume(caller, _request, now): Decision {
        const { limit, windowMs } = minuteOf(caller);
        const size = Math.round(PIECE * limit);
        const every = (size * windowMs) / limit;
        const piece = Math.floor(now / every);
        const before = buckets.get(caller.id) ?? { missing: 0, piece };
        const left = Math.max(0, before.missing - size * (piece - before.piece));
        const allowed = left < limit;
        const missing = allowed ? left + 1 : left;
        buckets.set(caller.id, { missing, piece });
        const resetAt = Math.ceil((piece + Math.ceil(missing / size)) * every);
        return { allowed, limit, remaining: limit - missing, resetAt, retryAt: allowed ? now : resetAt };
      },
    };
  });
}
