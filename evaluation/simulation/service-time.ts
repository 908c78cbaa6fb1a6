import { setImmediate as turn } from 'node:timers/promises';
import type { Instant } from '../../kernel/exchanges/exchange.ts';
import type { RequestHandler } from '../../reference-server/service/message.ts';
import type { Clock } from '../../suites/service/wire/wire.ts';

/** The clock of a service is set during a run, as by a time service. */
export interface ClockSet {
  /** When, in milliseconds since the beginning. */
  readonly at: number;
  /** By how many milliseconds; below 0 it is set back. */
  readonly by: number;
}

/** The time of a service in virtual time. Its clock may be off, and another client may use it between the requests of a run. */
export class ServiceTime {
  readonly #clock: Clock;
  readonly #offsetMs: number;
  readonly #set: ClockSet | undefined;
  #moment: number | undefined;

  /** `offsetMs` is how far the service's clock is ahead of the clock of the test machine at first, in milliseconds. */
  constructor(clock: Clock, offsetMs = 0, set?: ClockSet) {
    this.#clock = clock;
    this.#offsetMs = offsetMs;
    this.#set = set === undefined ? undefined : { ...set, at: clock.now().wall + set.at };
  }

  /** The time of the service's clock, in milliseconds since the Unix epoch. */
  now(): number {
    const moment = this.#moment ?? this.#clock.now().wall;
    const isSet = this.#set !== undefined && moment >= this.#set.at;
    return moment + this.#offsetMs + (isSet ? (this.#set?.by ?? 0) : 0);
  }

  /**
   * The service, with another client that requests the list with this key at
   * these times, in milliseconds from now, ascending. A service does nothing
   * between two requests, so the requests of the other client are answered late:
   * immediately before the next request of the run, with the clock set back.
   */
  withOtherClient(answer: RequestHandler, key: string, times: readonly number[]): RequestHandler {
    const start = this.#clock.now().wall;
    let next = 0;
    return (request) => {
      const { wall } = this.#clock.now();
      for (; start + (times[next] ?? Number.POSITIVE_INFINITY) <= wall; next += 1) {
        this.#moment = start + (times[next] ?? 0);
        answer(requestOfOtherClient(key));
      }
      this.#moment = undefined;
      return answer(request);
    };
  }
}

export const requestOfOtherClient = (key: string): Parameters<RequestHandler>[0] => ({
  method: 'GET',
  target: '/v1/categories',
  headers: [['Authorization', `Bearer ${key}`]],
  body: null,
  client: { address: '10.11.12.13', connection: 1_000_000 },
});

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
