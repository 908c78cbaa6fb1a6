import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Tally } from './tally.ts';
import type { Batch } from './worker.ts';

const idle: ChildProcess[] = [];

/** Tallies a batch in a process of its own, which the next batch takes over. Rejects when the process ends early. */
export async function tallyInProcess(batch: Batch): Promise<Tally> {
  const child =
    idle.pop() ?? fork(new URL('./worker.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`A worker process ended early with exit code ${String(code)}.`);
  });
  ended.catch(() => undefined);
  child.send(batch);
  const [tally] = (await Promise.race([once(child, 'message'), ended])) as [Tally];
  idle.push(child);
  return tally;
}

/** Ends the processes, none of which has a batch any more. */
export function endProcesses(): void {
  for (const child of idle.splice(0)) child.kill();
}
