import type { Algorithm } from './algorithm.ts';
import type { CallerCounters } from './caller-counters.ts';
import { StoredCounters } from './caller-counters.ts';
import { fixedWindow, fixedWindowFromFirst } from './fixed-window.ts';
import { gcra } from './gcra.ts';
import { slidingCounter } from './sliding-counter.ts';
import { slidingLog } from './sliding-log.ts';
import { tokenBucket } from './token-bucket.ts';

const limiters = {
  'fixed-window-from-first': limiter(fixedWindowFromFirst),
  'fixed-window': limiter(fixedWindow),
  'sliding-log': limiter(slidingLog),
  'sliding-counter': limiter(slidingCounter),
  'token-bucket': limiter(tokenBucket),
  gcra: limiter(gcra),
};

function limiter<State>(algorithm: Algorithm<State>) {
  const counters = (capacity?: number): CallerCounters => new StoredCounters(algorithm, capacity);
  return { counters, most: algorithm.most };
}

export type AlgorithmName = keyof typeof limiters;

/** The algorithm of a server that names none: the most common one in practice. */
export const DEFAULT_ALGORITHM: AlgorithmName = 'fixed-window-from-first';

/** Every algorithm by name, the default first. */
export const algorithms = Object.keys(limiters) as readonly AlgorithmName[];

/** Empty counters under this algorithm; `capacity` bounds the callers that have a state of their own. */
export function createCounters(algorithm: AlgorithmName, capacity?: number): CallerCounters {
  return limiters[algorithm].counters(capacity);
}

/** How many requests a caller gets accepted at most in any span of so many windows. */
export const mostAccepted = (algorithm: AlgorithmName, limit: number, windows: number): number =>
  limiters[algorithm].most(limit, windows);
