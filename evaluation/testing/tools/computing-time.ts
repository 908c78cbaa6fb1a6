/** What synchronous work returned, and how long it computed. */
export interface Computed<T> {
  readonly value: T;
  /** In milliseconds. Unlike the time that passes, it does not grow while other programs use the cores. */
  readonly computedMs: number;
}

/** Does synchronous work and measures how long it computes. */
export function computed<T>(work: () => T): Computed<T> {
  const before = process.cpuUsage();
  const value = work();
  return { value, computedMs: process.cpuUsage(before).user / 1000 };
}
