/** How many requests a scripted service takes from one start of a client. */
export interface ArrivalBounds {
  readonly inAll: number;
  readonly inASecond: number;
}

/** Clients were measured that send 90,000 requests in a minute; these bounds keep the journal and this machine small. */
export const ARRIVAL_BOUNDS: ArrivalBounds = { inAll: 300, inASecond: 100 };

const SECOND_MS = 1000;

/** Counts the arrivals of one start. */
export class ArrivalCounter {
  readonly #bounds: ArrivalBounds;
  /** The moments of the last second's arrivals, in milliseconds of a monotonic clock. */
  #recent: number[] = [];
  #all = 0;

  constructor(bounds: ArrivalBounds) {
    this.#bounds = bounds;
  }

  /** Counts an arrival at this moment; false where it exceeds a bound. */
  admits(mono: number): boolean {
    this.#all += 1;
    this.#recent = [...this.#recent.filter((at) => at > mono - SECOND_MS), mono];
    return this.#all <= this.#bounds.inAll && this.#recent.length <= this.#bounds.inASecond;
  }
}
