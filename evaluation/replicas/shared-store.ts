import type { Quota } from '../../reference-server/limiters/algorithm.ts';
import type { QuotaCheck } from '../../reference-server/limiters/caller-counters.ts';

/**
 * What several replicas of the service share, so that a caller has one count
 * and sees one list, whichever replica responds. Every method rejects while the
 * store is unavailable, after a second at most.
 */
export interface SharedStore {
  /** Checks a request against all quotas of a caller and counts it in all or in none, in one atomic step. */
  consume(id: string, quotas: readonly Quota[]): Promise<readonly QuotaCheck[]>;
  /** Exhausts a quota of a caller until the end of its window, unless that window has begun already. */
  exhaust(id: string, quota: Quota): Promise<void>;
  /** Every category, as JSON text, in the order of creation. */
  categories(): Promise<readonly string[]>;
  /** An id that no category has yet. */
  nextId(): Promise<bigint>;
  /** Adds a category, as JSON text. */
  addCategory(category: string): Promise<void>;
  close(): Promise<void>;
}

/** What a replica does while the store is unavailable: `open` responds without counting; `closed` responds 503. */
export type OutagePolicy = 'open' | 'closed';
