import type { RequestHandler } from '../../reference-server/index.ts';
import type { Clock } from '../../suites/wire/clock.ts';

/** The time of a service in virtual time. Its clock may be off, and another client may use it between the requests of a run. */
export class ServiceTime {
  readonly #clock: Clock;
  readonly #offsetMs: number;
  #moment: number | undefined;

  /** `offsetMs` is how far the service's clock is ahead of the clock of the test machine, in milliseconds. */
  constructor(clock: Clock, offsetMs = 0) {
    this.#clock = clock;
    this.#offsetMs = offsetMs;
  }

  /** The time of the service's clock, in milliseconds since the Unix epoch. */
  now(): number {
    return (this.#moment ?? this.#clock.now().wall) + this.#offsetMs;
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
