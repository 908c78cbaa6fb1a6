import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { Tally } from './tally.ts';
import type { Piece } from './worker.ts';

/**
 * Does every piece in as many processes as the machine has cores, each taking
 * the next piece when it is done with its last. Rejects when one of them ends early.
 */
export async function doAll(
  pieces: readonly Piece[],
  done: (piece: Piece, tally: Tally) => void,
): Promise<void> {
  const waiting = [...pieces].reverse();
  const processes = Math.min(availableParallelism(), pieces.length);
  await Promise.all(
    Array.from({ length: processes }, async () => {
      const child = fork(new URL('./worker.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
      const ended = once(child, 'exit').then(([code]): never => {
        throw new Error(`A process of the proof ended with ${String(code)}.`);
      });
      ended.catch(() => undefined);
      try {
        for (let piece = waiting.pop(); piece !== undefined; piece = waiting.pop()) {
          child.send(piece);
          const [tally] = (await Promise.race([once(child, 'message'), ended])) as [Tally];
          done(piece, tally);
        }
      } finally {
        child.kill();
      }
    }),
  );
}
