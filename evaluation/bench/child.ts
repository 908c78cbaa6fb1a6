import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';

const script = (name: string): URL => new URL(name, import.meta.url);

/**
 * Starts a script of this folder as a process of its own, which shares neither memory nor
 * garbage collection with this one, and waits for its first message.
 * @param settings handed over as environment variables, since every user of the machine can read arguments.
 * @throws {Error} when it ends without having sent anything.
 */
export async function startChild<T>(
  name: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly first: T; readonly child: ChildProcess }> {
  const child = fork(script(name), { execArgv: ['--import', 'tsx'], env: { ...process.env, ...settings } });
  const first = await Promise.race([
    once(child, 'message').then(([message]) => message as T),
    once(child, 'exit').then(([code]): T => {
      throw new Error(`${name} ended with ${String(code)} before it sent anything.`);
    }),
  ]);
  return { first, child };
}

/** Sends a message to a process and returns its reply. */
export async function replyTo<T>(child: ChildProcess, message: string | number): Promise<T> {
  const received = once(child, 'message') as Promise<[T]>;
  child.send(message);
  const [value] = await received;
  return value;
}

/** Ends a process and waits until it is gone. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** Sends a message to the process that started this one. */
export function tell(message: unknown): void {
  process.send?.(message);
}

/** Seconds of a processor that this process has used since `before`, all its threads together. */
export function cpuSecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
