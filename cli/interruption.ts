import { setTimeout as delay } from 'node:timers/promises';
import { EXIT } from './exit-code.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Turns SIGINT and SIGTERM into the abortion of a signal while `use` runs. A
 * second one ends the process at once, for whoever cannot wait.
 */
export async function interruptible<T>(use: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await use(controller.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Settles as `work` does, or resolves `graceMs` milliseconds after the signal aborts, whatever `work` waits for. */
export async function untilAborted(work: Promise<void>, signal: AbortSignal, graceMs: number): Promise<void> {
  await Promise.race([work, aborted(signal).then(() => delay(graceMs))]);
}
