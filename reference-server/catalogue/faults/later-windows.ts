import type { Seams } from '../../seams.ts';
import type { Caller } from '../../service/callers.ts';
import type { Request } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';
import { aroundEach, countedAs, countingFrom, enforcing } from '../wrappers/counting.ts';
import type { StatedFaults } from './fault.ts';

/** Above the limit of any plan, and small enough to be counted exactly. */
const UNLIMITED = 1e12;

/** A key's first window and the retry after it are over when this many windows have passed since its first request. */
const FIRST_WINDOWS = 1.5;

/** Why a run without `--thorough` finds nothing. */
const ONE_WINDOW = {
  because:
    'The service conforms throughout the first window of a key, and a run without --thorough tests that one.',
} as const;

/** Faults of the chapter "Limit enforcement" that show only after the first window of a key. */
export const laterWindows: StatedFaults = {
  'limit-enforced-once': {
    description: 'The limit is enforced in the first window of a key, and never again.',
    breaksWith: { thorough: ['LIMIT-1'] },
    undecidable: { requirement: 'LIMIT-1', ...ONE_WINDOW },
    seenIn: 'limiters that switch themselves off when a job or a store behind them stops working',
    ...inLaterWindows(enforcing(() => UNLIMITED)),
  },
  'twice-the-limit-later': {
    description: 'From the second window of a key on, twice the limit is accepted.',
    breaksWith: { thorough: ['LIMIT-1'] },
    undecidable: { requirement: 'LIMIT-1', ...ONE_WINDOW },
    seenIn: 'a second instance with a counter of its own, started under load',
    ...inLaterWindows(enforcing((limit) => 2 * limit)),
  },
  'half-the-limit-later': {
    description:
      'From the second window of a key on, half of the limit is enforced, while the headers count down from all of it.',
    breaksWith: { thorough: ['LIMIT-2', 'RATE-8'] },
    undecidable: { requirement: 'LIMIT-2', ...ONE_WINDOW },
    seenIn: 'adaptive limiters that lower the limit of a key after its first 429',
    ...inLaterWindows(enforcing((limit) => Math.ceil(limit / 2))),
  },
  'half-the-limit-counted-down-later': {
    description:
      'From the second window of a key on, half of the limit is accepted, and Remaining counts down accordingly.',
    needs: ['thorough'],
    breaksWith: { 'exclusive key': ['LIMIT-2'] },
    undecidable: {
      requirement: 'LIMIT-2',
      because:
        'The baseline request of a later window shows a Remaining of half the limit. Another client that has just used the other half would cause that, too. With --exclusive-key it fails.',
    },
    seenIn: 'adaptive limiters that lower the limit of a key after its first 429',
    ...inLaterWindows(countingFrom((limit) => Math.ceil(limit / 2))),
  },
  'connections-counted-apart-later': {
    description: 'From the second window of a key on, each connection has a count of its own.',
    breaksWith: { thorough: ['LIMIT-1', 'LIMIT-8'] },
    undecidable: { requirement: 'LIMIT-8', ...ONE_WINDOW },
    seenIn: 'limiters that fall back to a counter in the memory of each worker when their store is lost',
    ...inLaterWindows(countedAs((caller, { client }) => `${caller.id} over ${client.connection}`)),
  },
  'similar-key-restores-quota': {
    description: 'A request with a key that begins like a valid one restores the quota of that one.',
    breaksWith: { thorough: ['RATE-7'] },
    undecidable: {
      requirement: 'RATE-7',
      because:
        'It shows only between requests with the key. A run without --thorough sends similar keys after its last request with the key.',
    },
    seenIn: 'caches of keys by a prefix whose entry, with the counter in it, is replaced when a lookup fails',
    ...onSimilarKey('restores'),
  },
  'similar-key-uses-quota': {
    description: 'A request with a key that begins like a valid one is counted for that one.',
    breaksWith: { thorough: ['RATE-7', 'LIMIT-2'] },
    undecidable: {
      requirement: 'RATE-7',
      because:
        'It shows only between requests with the key. A run without --thorough sends similar keys after its last request with the key.',
    },
    seenIn: 'limiters that count by a prefix of the key, so that logs and counters need not store all of it',
    ...onSimilarKey('uses'),
  },
};

/** Behaves as these seams make it from the second window of a key on. */
function inLaterWindows({ wrapLimiter }: Seams): Seams {
  return aroundEach((limiter, context) => {
    const later = wrapLimiter?.(limiter, context) ?? limiter;
    let first: number | undefined;
    return (caller, request, now) => {
      first ??= now;
      const isLater = now - first >= FIRST_WINDOWS * context.plans.minuteSeconds * 1000;
      return (isLater ? later : limiter)(caller, request, now);
    };
  });
}

/** The length of the beginning by which a key is looked up. */
const PREFIX_LENGTH = 16;

const prefixOf = (request: Request): string | undefined =>
  headerValues(request, 'Authorization')[0]?.slice(0, 'Bearer '.length + PREFIX_LENGTH);

/** What an unauthorized request does to the quota of the caller whose key begins in the same way. */
function onSimilarKey(effect: 'restores' | 'uses'): Seams {
  return {
    wrapLimiter(limiter, context) {
      const owners = new Map<string, Caller>();
      const restored = new Map<string, number>();
      const counting = countedAs(({ id }) => `${id} ${restored.get(id) ?? 0}`);
      const counted = counting.wrapLimiter(limiter, context);
      return (caller, request, now) => {
        const prefix = prefixOf(request) ?? '';
        if (caller.authenticated) owners.set(prefix, caller);
        const owner = caller.authenticated ? undefined : owners.get(prefix);
        if (owner !== undefined && effect === 'uses') counted(owner, request, now);
        if (owner !== undefined && effect === 'restores')
          restored.set(owner.id, (restored.get(owner.id) ?? 0) + 1);
        return counted(caller, request, now);
      };
    },
  };
}
