import { setImmediate as turn } from 'node:timers/promises';
import type { Instant } from '../../kernel/exchanges/exchange.ts';
import type { Clock } from '../../suites/service/wire/clock.ts';

interface Sleeper {
  readonly at: number;
  readonly order: number;
  readonly wake: () => void;
}

/** The start of virtual time: 2026-11-21 10:00:07.250 UTC, on the boundary of neither a minute nor a second. */
export const VIRTUAL_START = Date.UTC(2026, 10, 21, 10, 0, 7, 250);

/** A time during which the machine of the run is suspended: its monotonic clock stands still, everything else goes on. */
export interface Suspension {
  /** When it begins, in milliseconds of the monotonic clock since the beginning. */
  readonly at: number;
  /** Milliseconds. */
  readonly lasts: number;
}

/**
 * A clock that stands still while any code runs. When all code waits for the
 * clock, it jumps to the earliest wake-up time, so a window of an hour passes in
 * milliseconds.
 */
export class VirtualClock implements Clock {
  #now = 0;
  #order = 0;
  #sleepers: Sleeper[] = [];
  readonly #start: number;
  readonly #suspensions: readonly Suspension[];

  /** `start` is the wall time at which the run begins, milliseconds since the Unix epoch. */
  constructor(start: number = VIRTUAL_START, suspensions: readonly Suspension[] = []) {
    this.#start = start;
    this.#suspensions = suspensions;
  }

  now(): Instant {
    const suspended = this.#suspensions.filter(({ at }) => at <= this.#now);
    const lost = suspended.reduce((sum, { lasts }) => sum + lasts, 0);
    return { wall: this.#start + this.#now + lost, mono: this.#now };
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error);
      this.#order += 1;
      this.#sleepers.push({ at: this.#now + Math.max(0, milliseconds), order: this.#order, wake: resolve });
    });
  }

  /** Lets time pass until `work` is settled. @throws {Error} when no code waits for the clock and `work` is not settled. */
  async run<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const done = work.finally(() => {
      settled = true;
    });
    done.catch(() => undefined);
    for (let idle = 0; !settled && idle < 50; ) {
      await turn();
      if (settled) break;
      idle = this.#wakeNext() ? 0 : idle + 1;
    }
    if (!settled)
      throw new Error('Virtual time stands still: the work waits for something other than the clock.');
    return done;
  }

  #wakeNext(): boolean {
    this.#sleepers.sort((a, b) => a.at - b.at || a.order - b.order);
    const next = this.#sleepers.shift();
    if (next === undefined) return false;
    this.#now = Math.max(this.#now, next.at);
    next.wake();
    return true;
  }
}
