import type { Seams } from '../../seams.ts';
import { isList, onResponse, textOf, withItems } from '../wrappers/responses.ts';
import type { Fault } from './fault.ts';

/** How long a creation takes where concurrent ones are lost, and how long before its response it is complete. */
const CREATION_MS = 12;
const TIMER_SLACK_MS = 2;

/** Faults of lists that lack categories, for whatever reason. */
export const incompleteLists: readonly Fault[] = [
  stopsAt('three', 3, 'undocumented default page sizes'),
  stopsAt(
    'ten',
    10,
    'default page sizes such as that of many Express and Mongoose applications, without the envelope',
  ),
  stopsAt('twenty', 20, 'the default size of a page in Spring Data, without the envelope'),
  {
    id: 'list-lacks-the-newest',
    description: 'The list never contains the newest category.',
    breaks: ['LIST-3'],
    seenIn: 'bounds that exclude the last one: id < MAX(id), slices that are one too short',
    ...onResponse(isList, (response) => withItems(response, (items) => items.slice(0, -1))),
  },
  {
    id: 'list-forgets-the-oldest',
    description: 'After half a window, the list no longer contains the three oldest categories.',
    breaks: ['LIST-3'],
    seenIn: 'a cache with a time to live used as the store; a worker that restarts with an old copy',
    ...forgetting(3),
  },
  {
    id: 'list-shows-the-newest-five',
    description: 'The list contains only the five newest categories, without a sign that there are more.',
    breaks: ['LIST-3'],
    seenIn: 'caches of limited size used as the store',
    ...onResponse(isList, (response) => withItems(response, (items) => items.slice(-5))),
  },
  {
    id: 'concurrent-creations-lost',
    description: 'Of two simultaneous creations, one gets 201 but is not stored.',
    breaks: ['LIST-3'],
    seenIn: 'files rewritten as a whole by every request; lost updates on one JSON column',
    ...losingConcurrentCreations(),
  },
  {
    id: 'list-kept-by-each-worker',
    description:
      'There are two workers, and each lists only the categories that were created over its own connections.',
    breaks: ['LIST-3'],
    seenIn: 'Node’s cluster module and gunicorn with a store in memory',
    ...listingByWorker(),
  },
];

/** Two workers; the number of the connection chooses one. */
function listingByWorker(): Seams {
  return {
    wrapService(handle) {
      const workers = new Map<string, number>();
      return (request) => {
        const worker = request.client.connection % 2;
        const outcome = handle(request);
        if (outcome.kind !== 'response') return outcome;
        if (outcome.status === 201) workers.set(String(JSON.parse(textOf(outcome)).id), worker);
        if (!isList(outcome, request)) return outcome;
        return withItems(outcome, (items) => items.filter(({ id }) => workers.get(String(id)) === worker));
      };
    },
  };
}

/** A creation takes a while; when it is complete, it overwrites any that arrived in that time. */
function losingConcurrentCreations(): Seams {
  return {
    wrapService(handle, { now }) {
      const lost = new Set<string>();
      let busyUntil = Number.NEGATIVE_INFINITY;
      return (request) => {
        const outcome = handle(request);
        if (outcome.kind !== 'response') return outcome;
        if (outcome.status === 201) {
          if (now() < busyUntil) lost.add(String(JSON.parse(textOf(outcome)).id));
          busyUntil = now() + CREATION_MS - TIMER_SLACK_MS;
          return { ...outcome, delayMs: CREATION_MS };
        }
        if (lost.size === 0 || !isList(outcome, request)) return outcome;
        return withItems(outcome, (items) => items.filter(({ id }) => !lost.has(String(id))));
      };
    },
  };
}

/** Omits the oldest categories once half a window has passed since the first creation. */
function forgetting(count: number): Seams {
  return {
    wrapService(handle, { now, plans }) {
      let firstAt = Number.POSITIVE_INFINITY;
      return (request) => {
        const outcome = handle(request);
        if (outcome.kind !== 'response') return outcome;
        if (outcome.status === 201) firstAt = Math.min(firstAt, now());
        const forgotten = now() >= firstAt + 500 * plans.minuteSeconds;
        return forgotten && isList(outcome, request)
          ? withItems(outcome, (items) => items.slice(count))
          : outcome;
      };
    },
  };
}

/** A list that ends after so many categories. */
function stopsAt(words: string, count: number, seenIn: string): Fault {
  return {
    id: `list-stops-at-${words}`,
    description: `The list contains only the first ${words} categories, without a sign that there are more.`,
    breaks: ['LIST-3'],
    seenIn,
    ...onResponse(isList, (response) => withItems(response, (items) => items.slice(0, count))),
  };
}
