import type { CallerCounters } from './caller-counters.ts';
import { StoredCounters } from './caller-counters.ts';
import { fixedWindow, fixedWindowFromFirst } from './fixed-window.ts';
import { gcra } from './gcra.ts';
import { slidingCounter } from './sliding-counter.ts';
import { slidingLog } from './sliding-log.ts';
import { tokenBucket } from './token-bucket.ts';

const factories = {
  'fixed-window-from-first': (capacity?: number) => new StoredCounters(fixedWindowFromFirst, capacity),
  'fixed-window': (capacity?: number) => new StoredCounters(fixedWindow, capacity),
  'sliding-log': (capacity?: number) => new StoredCounters(slidingLog, capacity),
  'sliding-counter': (capacity?: number) => new StoredCounters(slidingCounter, capacity),
  'token-bucket': (capacity?: number) => new StoredCounters(tokenBucket, capacity),
  gcra: (capacity?: number) => new StoredCounters(gcra, capacity),
} satisfies Record<string, (capacity?: number) => CallerCounters>;

export type AlgorithmName = keyof typeof factories;

/** The algorithm of a server that names none: the most common one in practice. */
export const DEFAULT_ALGORITHM: AlgorithmName = 'fixed-window-from-first';

/** Every algorithm by name, the default first. */
export const algorithms = Object.keys(factories) as readonly AlgorithmName[];

/** Empty counters under this algorithm; `capacity` bounds the callers that have a state of their own. */
export function createCounters(algorithm: AlgorithmName, capacity?: number): CallerCounters {
  return factories[algorithm](capacity);
}
