import type { ListCache } from '../wrappers/caching.ts';
import { cachingLists } from '../wrappers/caching.ts';
import type { Fault } from './fault.ts';

/** Faults of a cache in front of the limiter: requests are accepted that the limiter never sees. */
export const storedResponses: readonly Fault[] = [
  cached('lists-from-a-cache', 'Lists come from a cache for three seconds, with Age and X-Cache.', {
    lifetime: 1 / 20,
    lines: (age) => [
      ['Age', String(age)],
      ['X-Cache', 'HIT'],
    ],
    date: 'stored',
  }),
  cached('lists-from-a-cache-without-a-trace', 'Lists come from a cache for ten seconds, unchanged.', {
    lifetime: 1 / 6,
    lines: () => [],
    date: 'stored',
  }),
  cached('lists-from-a-cache-with-a-new-date', 'Lists come from a cache for five seconds, with a new Date.', {
    lifetime: 1 / 12,
    lines: (age) => [
      ['Age', String(age)],
      ['Via', '1.1 varnish'],
    ],
    date: 'present',
  }),
];

function cached(id: string, description: string, cache: ListCache): Fault {
  return {
    id,
    description,
    breaks: ['RATE-7', 'LIMIT-1'],
    warnings: ['LIST-3'],
    seenIn:
      'a gateway or a content delivery network with a minimum time to live for GET, in front of the limiter',
    ...cachingLists(cache),
  };
}
