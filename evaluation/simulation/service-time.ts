import type { RequestHandler } from '../../reference-server/service/message.ts';
import type { Clock } from '../../suites/service/wire/clock.ts';

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

const requestOfOtherClient = (key: string): Parameters<RequestHandler>[0] => ({
  method: 'GET',
  target: '/v1/categories',
  headers: [['Authorization', `Bearer ${key}`]],
  body: null,
  client: { address: '10.11.12.13', connection: 1_000_000 },
});
