import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Tally } from './tally.ts';
import type { Piece } from './worker.ts';

/**
 * Does every piece on as many threads as the machine has cores, each thread
 * taking the next piece when it is done with its last. Rejects with the first
 * error of any thread.
 */
export async function doAll(
  pieces: readonly Piece[],
  done: (piece: Piece, tally: Tally) => void,
): Promise<void> {
  const waiting = [...pieces].reverse();
  const threads = Math.min(availableParallelism(), pieces.length);
  await Promise.all(
    Array.from({ length: threads }, async () => {
      const worker = new Worker(new URL('./worker.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
      try {
        for (let piece = waiting.pop(); piece !== undefined; piece = waiting.pop()) {
          worker.postMessage(piece);
          const [tally] = (await once(worker, 'message')) as [Tally];
          done(piece, tally);
        }
      } finally {
        await worker.terminate();
      }
    }),
  );
}
