import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Computes until its parent process ends. */
const LOOP = 'const parent = process.ppid; while (process.ppid === parent);';

/** Keeps one core of this machine busy while `use` runs. */
export async function withBusyCore<T>(use: () => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    return await use();
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}
