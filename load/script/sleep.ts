import { setTimeout } from 'k6/timers';

const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(() => resolve(), milliseconds));

/**
 * Resolves at a moment or just after it. A timer may end a little early.
 * @param until milliseconds on the clock of `now`.
 */
export async function sleepUntil(until: number, now: () => number): Promise<void> {
  for (let rest = until - now(); rest > 0; rest = until - now()) await delay(rest);
}
