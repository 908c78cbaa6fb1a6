import type { Decision } from '../../limiters/limiter.ts';
import type { Seams } from '../../seams.ts';
import { composed } from '../../seams.ts';
import type { Caller } from '../../service/callers.ts';
import type { Request } from '../../service/message.ts';
import { headerValues } from '../../service/message.ts';
import {
  accepted,
  aroundEach,
  bucketOf,
  countedAs,
  countingFrom,
  countingMinute,
  enforcing,
  isAboutTheDay,
  onDecision,
} from '../wrappers/counting.ts';
import type { Applies } from '../wrappers/responses.ts';
import {
  changingHeader,
  conditionalLists,
  editing,
  failing,
  hasStatus,
  isCreation,
  isList,
  isRequestFor,
  onResponse,
  withoutRateLimit,
} from '../wrappers/responses.ts';
import type { StatedFaults } from './fault.ts';
import { losingUpdates } from './limit-counters.ts';
import { UNLIMITED } from './limit-enforcement.ts';

/** The same loss as of a counter for a window, of a bucket that holds `capacity` requests. */
function losingUpdatesOf(capacity: number): Seams {
  return composed(
    bucketOf(() => capacity),
    losingUpdates,
  );
}

/** A key's first window and the retry after it are over when this many windows have passed since its first request. */
const FIRST_WINDOWS = 1.5;

/** Why a run without `--thorough` finds nothing. */
const ONE_WINDOW =
  'The service conforms throughout the first window of a key, and a run without --thorough tests that one.';

/** Why a run without `--thorough` does not see what a similar key does to a quota. */
const SIMILAR_KEYS_LAST =
  'It shows only between requests with the key. A run without --thorough sends similar keys after its last request with the key.';

/** Why a run without a disposable key cannot see what a list gets beyond the limit. */
const ONE_BEYOND =
  'A run sends exactly one request beyond the limit, because a second one may cause a conforming service to ban the key. That one request is a creation, and cannot be a list as well. With a disposable key, each operation is sent beyond the limit.';

/** A 429 to a creation. */
const creationLimited: Applies = ({ status }, request) => status === 429 && isCreation(request);

const isListRequest = (request: Request): boolean => isRequestFor('GET', '/v1/categories', request);

/** A 429 to a list that is about the minute: its wait is an hour at most. */
const listLimited: Applies = ({ status, headers }, request) =>
  status === 429 &&
  isListRequest(request) &&
  headers.some(([name, value]) => name === 'Retry-After' && Number(value) <= 3600);

/** Faults of the chapter "Limit enforcement": not visible to a client that stays within its limit. */
export const limitUnseen: StatedFaults = {
  'limits-every-other-request': {
    description: 'Beyond the limit, only every second request gets 429.',
    undecidable:
      'Only a second request beyond the limit would be accepted, and a conforming service may ban a client that keeps sending. A run sends one. With a disposable key it sends more.',
    breaksWith: { 'disposable key': ['LIMIT-1'] },
    seenIn: 'two nodes behind a round robin, one of them without a limiter',
    ...aroundEach((limiter) => {
      let rateLimited = 0;
      return (caller, request, now) => {
        const decision = limiter(caller, request, now);
        if (decision.allowed || !caller.authenticated || isAboutTheDay(decision, now)) return decision;
        rateLimited += 1;
        return rateLimited % 2 === 1 ? decision : accepted(decision, now);
      };
    }),
  },

  // Faults that show only to requests as browsers and caches send them.
  'page-for-browsers': {
    description: 'A request that accepts text/html gets the list as a page.',
    warnings: ['MEDIA-1'],
    seenIn: 'the browsable API of Django REST framework, its default; ServiceStack',
    ...editing(
      (response, request) =>
        isList(response, request) &&
        headerValues(request, 'Accept').some((types) => types.includes('text/html')),
      { type: 'text/html; charset=utf-8', text: '<!doctype html><h1>Categories</h1>' },
    ),
  },
  'not-modified-without-headers': {
    description: 'A 304 to a conditional list has no rate-limit headers.',
    warnings: ['RATE-1'],
    seenIn: 'the etag middleware of Hono and ConditionalGetMiddleware of Django, which make the 304 anew',
    ...conditionalLists(withoutRateLimit),
  },

  // Faults of buckets that hold less than the limit: what a run sees only with requests at the same time from a full bucket.
  'bucket-of-five-loses-updates': {
    description: 'A token bucket of five counts simultaneous requests as one.',
    breaks: ['LIMIT-6'],
    warnings: ['LIMIT-2'],
    seenIn: 'token buckets in Redis that are read with HMGET and written with HMSET, without a script',
    ...losingUpdatesOf(5),
  },
  'bucket-of-one-loses-updates': {
    description: 'A bucket without burst accepts every request that arrives before the first one is written.',
    breaks: ['LIMIT-6'],
    warnings: ['LIMIT-2'],
    seenIn: 'the time of the last request in a table, read before the request and written after it',
    ...losingUpdatesOf(1),
  },
  'bucket-of-twenty-answers-503': {
    description: 'A bucket of twenty that is refilled at the rate of the plan answers 503 when it is empty.',
    breaks: ['LIMIT-3'],
    warnings: ['HTTP-4'],
    seenIn: 'nginx limit_req with burst=19 nodelay, without limit_req_status 429',
    ...bucketOf(() => 20),
    ...failing(hasStatus(429), 503),
  },

  // Faults of the chapter "Retry-After and ban": a key that is not accepted when the announced wait has passed.
  'limit-never-comes-back': {
    description: 'A key that was rate-limited once remains so forever; each 429 announces a full window.',
    breaksWith: { 'exclusive key': ['RETRY-3'] },
    undecidable:
      'A conforming service may start the wait anew with each request beyond the limit. If another client of the key sends every few seconds, no request is accepted there either, and each 429 announces a full window. RETRY-3 is inconclusive for it, and the run incomplete; with --exclusive-key it fails.',
    seenIn: 'counters in Redis whose expiry was lost (INCR without EXPIRE)',
    ...countingMinute((limiter, { plans }) => {
      let limited: Decision | undefined;
      return (caller, request, now) => {
        if (limited !== undefined) {
          const at = now + plans.minuteSeconds * 1000;
          return { ...limited, resetAt: at, retryAt: at };
        }
        const decision = limiter(caller, request, now);
        if (!decision.allowed) limited = decision;
        return decision;
      };
    }),
  },

  // Faults of the chapter "Limit enforcement" that show only after the first window of a key.
  'limit-enforced-once': {
    description: 'The limit is enforced in the first window of a key, and never again.',
    breaksWith: { thorough: ['LIMIT-1'] },
    undecidable: ONE_WINDOW,
    seenIn: 'limiters that switch themselves off when a job or a store behind them stops working',
    ...inLaterWindows(enforcing(() => UNLIMITED)),
  },
  'half-the-limit-later': {
    description:
      'From the second window of a key on, half of the limit is enforced, while the headers count down from all of it.',
    breaksWith: { thorough: ['LIMIT-2', 'RATE-8'] },
    undecidable: ONE_WINDOW,
    seenIn: 'adaptive limiters that lower the limit of a key after its first 429',
    ...inLaterWindows(enforcing((limit) => Math.ceil(limit / 2))),
  },
  'half-the-limit-counted-down-later': {
    description:
      'From the second window of a key on, half of the limit is accepted, and Remaining counts down accordingly.',
    needs: ['thorough'],
    breaksWith: { 'exclusive key': ['LIMIT-2'] },
    undecidable:
      'The baseline request of a later window shows a Remaining of half the limit. Another client that has just used the other half would cause that, too. With --exclusive-key it fails.',
    seenIn: 'adaptive limiters that lower the limit of a key after its first 429',
    ...inLaterWindows(countingFrom((limit) => Math.ceil(limit / 2))),
  },
  'connections-counted-apart-later': {
    description: 'From the second window of a key on, each connection has a count of its own.',
    breaksWith: { thorough: ['LIMIT-8', 'LIMIT-1'] },
    undecidable: ONE_WINDOW,
    seenIn: 'limiters that fall back to a counter in the memory of each worker when their store is lost',
    ...inLaterWindows(countedAs((caller, { client }) => `${caller.id} over ${client.connection}`)),
  },
  'similar-key-restores-quota': {
    description: 'A request with a key that begins like a valid one restores the quota of that one.',
    breaksWith: { thorough: ['RATE-7'] },
    undecidable: SIMILAR_KEYS_LAST,
    seenIn: 'caches of keys by a prefix whose entry, with the counter in it, is replaced when a lookup fails',
    ...onSimilarKey('restores'),
  },
  'similar-key-uses-quota': {
    description: 'A request with a key that begins like a valid one is counted for that one.',
    breaksWith: { thorough: ['RATE-7', 'LIMIT-2'] },
    undecidable: SIMILAR_KEYS_LAST,
    seenIn: 'limiters that count by a prefix of the key, so that logs and counters need not store all of it',
    ...onSimilarKey('uses'),
  },

  // Faults of the chapters on limits that show beyond the limit, at one operation only.
  'creations-never-limited': {
    description: 'Creations are counted, but never get 429.',
    breaks: ['LIMIT-1'],
    seenIn: 'limiters that are enforced on GET routes only',
    ...exempting(isCreation),
  },
  'creations-limited-without-headers': {
    description: 'A 429 response to a creation has no rate-limit headers.',
    breaks: ['RATE-4'],
    seenIn: 'limiters of write operations that throw into an error handler of their own',
    ...onResponse(creationLimited, withoutRateLimit),
  },
  'creations-limited-with-one-remaining': {
    description: 'A 429 response to a creation has Remaining 1.',
    breaks: ['RATE-8'],
    seenIn: 'quotas that are reserved before the handler and given back where it does not run',
    ...changingHeader(creationLimited, 'X-RateLimit-Remaining', () => '1'),
  },
  'creations-limited-with-503': {
    description: 'A creation beyond the limit gets 503, and any other request 429.',
    warnings: ['HTTP-4'],
    undecidable:
      'A service may be unable to store a category at that moment, before its limiter is asked, and the specification does not show when. Only the next request, a list, shows the limit. With a disposable key, creations are sent between lists that get 429.',
    breaksWith: { 'disposable key': ['LIMIT-3'] },
    seenIn: 'queues of write operations that are bounded by the same limiter',
    ...failing(creationLimited, 503),
  },
  'lists-never-limited': {
    description: 'Lists are counted, but never get 429.',
    undecidable: ONE_BEYOND,
    breaksWith: { 'disposable key': ['LIMIT-1'] },
    seenIn: 'limiters that are enforced on write operations only',
    ...exempting(isListRequest),
  },
  'lists-limited-without-retry-after': {
    description: 'A 429 response to a list has no Retry-After.',
    undecidable: ONE_BEYOND,
    breaksWith: { 'disposable key': ['RETRY-1'] },
    seenIn: 'a cache in front of read operations that limits by itself',
    ...editing(listLimited, { without: ['Retry-After'] }),
  },
  'lists-limited-without-headers': {
    description: 'A 429 response to a list has no rate-limit headers.',
    undecidable: ONE_BEYOND,
    breaksWith: { 'disposable key': ['RATE-4'] },
    seenIn: 'a cache in front of read operations that limits by itself',
    ...onResponse(listLimited, withoutRateLimit),
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

/** Accepts these requests beyond the limit, too; they are counted. */
function exempting(isExempt: (request: Request) => boolean): Seams {
  return onDecision((decision, _, request, now) =>
    !isAboutTheDay(decision, now) && isExempt(request) ? accepted(decision, now) : decision,
  );
}
