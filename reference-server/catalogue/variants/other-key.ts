import type { Limiter } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import type { Caller } from '../../service/callers.ts';
import type { Request } from '../../service/message.ts';
import type { Variant } from './variant.ts';
import { conforms, incomplete } from './variant.ts';

/** The caller of the second key. */
const SECOND_KEY = 'free-2';

/** Services that count each key separately, and whose second key gets 429 for another reason. */
export const otherKey: readonly Variant[] = [
  {
    id: 'other-key-exhausted',
    topic: 'K39',
    description: 'Another client exhausted the second key’s quota per minute once, before its first request.',
    expected: conforms,
    seenIn: 'a key that a nightly job uses, too',
    ...usedByAnother(({ sent }) => sent === 0),
  },
  {
    id: 'other-key-always-exhausted',
    topic: 'K39',
    description: 'Another client exhausts the second key’s quota in every window.',
    expected: incomplete('The second key gets nothing but 429 responses.', ['LIMIT-7']),
    seenIn: 'a key that a busy service uses, too',
    ...usedByAnother(() => true),
  },
  {
    id: 'other-key-exhausted-with-the-first',
    topic: 'K39',
    description: 'Another client exhausts the second key’s quota whenever the first key’s is exhausted.',
    expected: incomplete(
      'With the second key alone, another client at these moments looks the same as a shared limit.',
      ['LIMIT-7'],
    ),
    seenIn: 'a second run, started at the same time with the two keys exchanged',
    ...usedByAnother(({ since429 }) => since429 < SOON_MS),
  },
];

/** The state when the second key sends a request: how many it sent before, and the time since the last 429 of another key, in milliseconds. */
interface SecondKeyState {
  readonly sent: number;
  readonly since429: number;
}

/** How soon after the first key’s 429 the other client sends its requests, in milliseconds. */
const SOON_MS = 5000;

/** Another client exhausts the second key’s quota immediately before each of its requests for which `when` is true. */
function usedByAnother(when: (state: SecondKeyState) => boolean): Seams {
  return {
    wrapLimiter(limiter) {
      let sent = 0;
      let last429 = Number.NEGATIVE_INFINITY;
      return {
        consume(caller, request, now) {
          if (caller.id === SECOND_KEY) {
            if (when({ sent, since429: now - last429 })) exhaust(limiter, caller, request, now);
            sent += 1;
            return limiter.consume(caller, request, now);
          }
          const decision = limiter.consume(caller, request, now);
          if (caller.authenticated && !decision.allowed) last429 = now;
          return decision;
        },
      };
    },
  };
}

function exhaust(limiter: Limiter, caller: Caller, request: Request, now: number): void {
  while (limiter.consume(caller, request, now).allowed);
}
