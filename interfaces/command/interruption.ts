import { EXIT } from './exit-code.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Aborts a signal on SIGINT and SIGTERM, for a command that ends the process when `use` has settled. A second one ends
 * the process at once. The handlers stay until the end: Ctrl-C after the reports are written, while the output is
 * flushed, must not replace the verdict's exit code.
 */
export function interruptible<T>(use: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return use(controller.signal);
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
