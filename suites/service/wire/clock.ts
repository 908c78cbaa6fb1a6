import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Instant } from '../../../kernel/exchanges/exchange.ts';
import { now } from '../../../kernel/recording/now.ts';

/** The clocks of a run; simulated in tests, so that an hour passes in a millisecond. */
export interface Clock {
  /** The current moment on both clocks. */
  now(): Instant;
  /** Resolves once at least `milliseconds` have passed on the monotonic clock; rejects when `signal` aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Node's timers may fire a millisecond early, and a request that is sent too early could cause a false fail. */
const TIMER_GRACE_MS = 3;

/** The clocks of this machine. */
export const systemClock: Clock = {
  now,
  async sleep(milliseconds, signal) {
    const until = performance.now() + milliseconds;
    for (let left = milliseconds; left > 0; left = until - performance.now()) {
      await delay(left + TIMER_GRACE_MS, undefined, signal === undefined ? {} : { signal });
    }
  },
};
