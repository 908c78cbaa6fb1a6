import type { Seams } from '../../seams.ts';
import type { Request } from '../../service/message.ts';
import { countedAs, countingMinute } from '../wrappers/counting.ts';
import { onResponse, withoutRateLimit } from '../wrappers/responses.ts';
import type { StatedFault, StatedFaults } from './fault.ts';

/** The operations of the interface, as a router distinguishes them. */
type Operation = 'list' | 'create' | 'orders' | 'pet';

/** The counter of each operation; null where it is not counted and has no rate-limit headers. */
type Counters = Readonly<Record<Operation, string | null>>;

/** Faults of the chapter "Limit enforcement": limiters bound to routes, which share counters or have none. */
export const limitRoutes: StatedFaults = {
  'counters-by-route-rest-together': boundToRoutes(
    'Lists and creations have one counter each; all other operations share one.',
    { list: 'list', create: 'create', orders: 'rest', pet: 'rest' },
  ),
  'counters-by-route-rest-uncounted': boundToRoutes(
    'Lists and creations have one counter each; all other operations are not counted.',
    { list: 'list', create: 'create', orders: null, pet: null },
  ),
  'creations-counted-apart': boundToRoutes(
    'Creations have a counter of their own; all other operations share one.',
    { list: 'all', create: 'create', orders: 'all', pet: 'all' },
  ),
  'lists-counted-apart': boundToRoutes('Lists have a counter of their own; all other operations share one.', {
    list: 'list',
    create: 'rest',
    orders: 'rest',
    pet: 'rest',
  }),
  'lists-counted-with-orders': boundToRoutes(
    'Lists share a counter with orders, and creations share one with pets.',
    { list: 'a', create: 'b', orders: 'a', pet: 'b' },
  ),
  'creations-counted-with-orders': boundToRoutes(
    'Lists share a counter with pets, and creations share one with orders.',
    { list: 'a', create: 'b', orders: 'b', pet: 'a' },
  ),
  'categories-counted-apart': boundToRoutes(
    'Categories have one counter, and all other operations another.',
    { list: 'categories', create: 'categories', orders: 'rest', pet: 'rest' },
  ),
  'pets-counted-apart': boundToRoutes(
    'The pet lookup has a counter of its own; all other operations share one.',
    { list: 'all', create: 'all', orders: 'all', pet: 'pet' },
  ),
  'pets-apart-orders-uncounted': boundToRoutes(
    'The pet lookup has a counter of its own, and orders are not counted.',
    { list: 'all', create: 'all', orders: null, pet: 'pet' },
  ),
};

function boundToRoutes(description: string, counters: Counters): StatedFault {
  return {
    description,
    breaks: ['LIMIT-5'],
    seenIn: 'limiters bound to each route separately (slowapi, Flask-Limiter, express-rate-limit, tollbooth)',
    ...byRoute(counters),
  };
}

function byRoute(counters: Counters): Seams {
  const counted = countedAs(({ id }, request) => `${id} ${counters[operationOf(request)]}`);
  const isFree = (request: Request): boolean => counters[operationOf(request)] === null;
  return {
    wrapLimiter(limiter, context) {
      const separate = counted.wrapLimiter(limiter, context);
      // Their responses have no headers, so any decision is right.
      const uncounted = countingMinute(() => ({ quotas }, _, now) => {
        const limit = quotas[0]?.limit ?? 0;
        return { allowed: true, limit, remaining: limit, resetAt: now, retryAt: now };
      }).wrapLimiter(limiter, context);
      return (caller, request, now) => (isFree(request) ? uncounted : separate)(caller, request, now);
    },
    ...onResponse(({ status }, request) => status !== 401 && isFree(request), withoutRateLimit),
  };
}

function operationOf({ method, target }: Request): Operation {
  const path = target.split('?')[0] ?? '';
  if (path.endsWith('/store/orders')) return 'orders';
  if (path.includes('/pets/')) return 'pet';
  return method === 'POST' ? 'create' : 'list';
}
