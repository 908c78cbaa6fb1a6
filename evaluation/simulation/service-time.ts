import type { RequestHandler } from '../../reference-server/index.ts';
import type { Clock } from '../../suites/wire/clock.ts';

/** The time of a service: its clock may be off, and it lives through moments at which nobody examines it. */
export class ServiceTime {
  readonly #clock: Clock;
  readonly #offsetMs: number;
  #moment: number | undefined;

  /** `offsetMs` is how far the service's clock is ahead of the examining machine's, in milliseconds. */
  constructor(clock: Clock, offsetMs = 0) {
    this.#clock = clock;
    this.#offsetMs = offsetMs;
  }

  /** What the service's clock shows, milliseconds since the Unix epoch. */
  now(): number {
    return (this.#moment ?? this.#clock.now().wall) + this.#offsetMs;
  }

  /**
   * Lets somebody else ask for the list with this key at these moments, in
   * milliseconds since now and ascending. A service does nothing between two
   * requests, so each is made up for before the next one that is examined.
   */
  beside(answer: RequestHandler, key: string, moments: readonly number[]): RequestHandler {
    const start = this.#clock.now().wall;
    let next = 0;
    return (request) => {
      const { wall } = this.#clock.now();
      for (; start + (moments[next] ?? Number.POSITIVE_INFINITY) <= wall; next += 1) {
        this.#moment = start + (moments[next] ?? 0);
        answer(elsewhere(key));
      }
      this.#moment = undefined;
      return answer(request);
    };
  }
}

const elsewhere = (key: string): Parameters<RequestHandler>[0] => ({
  method: 'GET',
  target: '/v1/categories',
  headers: [['Authorization', `Bearer ${key}`]],
  body: null,
  client: { address: '10.11.12.13', connection: 1_000_000 },
});
