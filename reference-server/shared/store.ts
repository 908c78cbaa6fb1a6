import type { Weighed } from '../limiter.ts';
import type { Quota } from '../limiters/algorithm.ts';

/**
 * What several replicas of the service share, so that a caller has one count
 * and one list whichever of them answers. Every method rejects where the store
 * is not to be reached; none waits longer than a second.
 */
export interface SharedStore {
  /** Weighs a request of a caller against all its quotas and counts it in all or in none, as one step. */
  spend(id: string, quotas: readonly Quota[]): Promise<readonly Weighed[]>;
  /** Uses up a quota of a caller for the length of its window, if it is not in use yet. */
  exhaust(id: string, quota: Quota): Promise<void>;
  /** Every category, as JSON text, in the order of creation. */
  categories(): Promise<readonly string[]>;
  /** An id that nobody has yet. */
  nextId(): Promise<bigint>;
  /** Keeps a category that was created. */
  keep(category: string): Promise<void>;
  close(): Promise<void>;
}

/** What becomes of requests while the store is lost: nobody is counted, or nobody is served. */
export const STORE_FAILURES = ['open', 'closed'] as const;

/** `open` answers without counting; `closed` answers 503. */
export type StoreFailure = (typeof STORE_FAILURES)[number];
