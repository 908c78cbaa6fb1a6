import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { Tally } from './tally.ts';
import type { Batch } from './worker.ts';

/**
 * Tallies every batch, in as many processes as the machine has cores; each takes
 * the next batch when it has finished one. Rejects when a process ends early.
 */
export async function tallyInProcesses(
  batches: readonly Batch[],
  done: (batch: Batch, tally: Tally) => void,
): Promise<void> {
  const waiting = [...batches].reverse();
  const processes = Math.min(availableParallelism(), batches.length);
  await Promise.all(
    Array.from({ length: processes }, async () => {
      const child = fork(new URL('./worker.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
      const ended = once(child, 'exit').then(([code]): never => {
        throw new Error(`A worker process ended early with exit code ${String(code)}.`);
      });
      ended.catch(() => undefined);
      try {
        for (let batch = waiting.pop(); batch !== undefined; batch = waiting.pop()) {
          child.send(batch);
          const [tally] = (await Promise.race([once(child, 'message'), ended])) as [Tally];
          done(batch, tally);
        }
      } finally {
        child.kill();
      }
    }),
  );
}
