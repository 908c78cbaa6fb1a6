import type { Limiter } from '../../reference-server/limiters/limiter.ts';
import type { Seams } from '../../reference-server/seams.ts';
import type { Caller } from '../../reference-server/service/callers.ts';
import type { Request } from '../../reference-server/service/message.ts';
import type { Variant } from './variant.ts';
import { conforms, incomplete } from './variant.ts';

/** The caller whose key is given as that of another caller. */
const OTHER = 'free-2';

/** Services that count each caller for itself, and whose other key gets a 429 all the same. */
export const otherKey: readonly Variant[] = [
  {
    id: 'other-key-used-up',
    topic: 'K39',
    description: 'Another client used up the second key’s quota per minute once, before its first request.',
    expected: conforms,
    seenIn: 'a key that a nightly job uses, too',
    ...usedByAnother(({ asked }) => asked === 0),
  },
  {
    id: 'other-key-always-used-up',
    topic: 'K39',
    description: 'Another client exhausts the second key’s quota in every window.',
    expected: incomplete('The second key gets nothing but 429 responses.', ['LIMIT-7']),
    seenIn: 'a key that a busy service uses, too',
    ...usedByAnother(() => true),
  },
  {
    id: 'other-key-used-up-beside-the-first',
    topic: 'K39',
    description: 'Another client exhausts the second key’s quota whenever the first key’s is exhausted.',
    expected: incomplete(
      'With the second key alone, another client at these moments looks the same as a shared limit.',
      ['LIMIT-7'],
    ),
    seenIn: 'a second run, started at the same time with the two keys exchanged',
    ...usedByAnother(({ sinceRefusal }) => sinceRefusal < AT_ONCE_MS),
  },
];

/** What is known when the second key asks: how often it did before, and how long ago another key got a 429, in milliseconds. */
interface Moment {
  readonly asked: number;
  readonly sinceRefusal: number;
}

/** The other client follows the first key’s 429 within this time, in milliseconds. */
const AT_ONCE_MS = 5000;

/** Another client exhausts the second key’s quota right before one of its requests, where `when` says so. */
function usedByAnother(when: (moment: Moment) => boolean): Seams {
  return {
    wrapLimiter(limiter) {
      let asked = 0;
      let refusedAt = Number.NEGATIVE_INFINITY;
      return {
        consume(caller, request, now) {
          if (caller.id === OTHER) {
            if (when({ asked, sinceRefusal: now - refusedAt })) exhaust(limiter, caller, request, now);
            asked += 1;
            return limiter.consume(caller, request, now);
          }
          const decision = limiter.consume(caller, request, now);
          if (caller.authenticated && !decision.allowed) refusedAt = now;
          return decision;
        },
      };
    },
  };
}

function exhaust(limiter: Limiter, caller: Caller, request: Request, now: number): void {
  while (limiter.consume(caller, request, now).allowed);
}
