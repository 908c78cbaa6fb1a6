import { fixedWindow } from './fixed-window.ts';
import { fixedWindowFromFirst } from './fixed-window-from-first.ts';
import { gcra } from './gcra.ts';
import type { Ledger } from './ledger.ts';
import { StateLedger } from './ledger.ts';
import { slidingCounter } from './sliding-counter.ts';
import { slidingLog } from './sliding-log.ts';
import { tokenBucket } from './token-bucket.ts';

const makers = {
  'fixed-window-from-first': (capacity?: number) => new StateLedger(fixedWindowFromFirst, capacity),
  'fixed-window': (capacity?: number) => new StateLedger(fixedWindow, capacity),
  'sliding-log': (capacity?: number) => new StateLedger(slidingLog, capacity),
  'sliding-counter': (capacity?: number) => new StateLedger(slidingCounter, capacity),
  'token-bucket': (capacity?: number) => new StateLedger(tokenBucket, capacity),
  gcra: (capacity?: number) => new StateLedger(gcra, capacity),
} satisfies Record<string, (capacity?: number) => Ledger>;

/** The name of a limiter algorithm. */
export type AlgorithmName = keyof typeof makers;

/** The algorithm of a server that is not told otherwise: the commonest one in practice. */
export const DEFAULT_ALGORITHM: AlgorithmName = 'fixed-window-from-first';

/** Every algorithm by name, the default first. */
export const algorithms = Object.keys(makers) as readonly AlgorithmName[];

/** An empty ledger that counts by this algorithm; `capacity` bounds the callers it remembers. */
export function createLedger(algorithm: AlgorithmName, capacity?: number): Ledger {
  return makers[algorithm](capacity);
}
