import { latencyMs, latencySamples, scheduleDelayMs } from '../model/latency.ts';
import type { Operation } from '../model/profile.ts';
import type { Sample } from '../model/sample.ts';
import { isAccepted, isError } from '../model/sample.ts';

/**
 * A growing list of numbers, eight bytes each. It lies outside the heap: ten million of them in arrays take several
 * times as much there, and more than Node gives the heap in a small container.
 */
class NumberColumn {
  #values = new Float64Array(1024);
  #length = 0;
  #isSorted = true;

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Float64Array(2 * this.#length);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
    this.#isSorted = false;
  }

  /** All numbers, ascending. Sorts in place, so the order of adding is lost. */
  ascending(): Float64Array {
    const values = this.#values.subarray(0, this.#length);
    if (!this.#isSorted) values.sort();
    this.#isSorted = true;
    return values;
  }
}

/** The requests of one operation, or of both. Times are in milliseconds since the Unix epoch; infinite where there is no request. */
export class Tally {
  requests = 0;
  accepted = 0;
  /** Requests with a 5xx or without a response. */
  failed = 0;
  firstSent = Number.POSITIVE_INFINITY;
  lastReceived = Number.NEGATIVE_INFINITY;
  planned = 0;
  firstPlanned = Number.POSITIVE_INFINITY;
  lastPlanned = Number.NEGATIVE_INFINITY;

  count(sample: Sample): void {
    const { planned, sent, received } = sample;
    this.requests += 1;
    this.accepted += Number(isAccepted(sample));
    this.failed += Number(isError(sample));
    this.firstSent = Math.min(this.firstSent, sent);
    this.lastReceived = Math.max(this.lastReceived, received);
    if (planned === null) return;
    this.planned += 1;
    this.firstPlanned = Math.min(this.firstPlanned, planned);
    this.lastPlanned = Math.max(this.lastPlanned, planned);
  }
}

const columns = (): Readonly<Record<Operation, NumberColumn>> => ({
  list: new NumberColumn(),
  create: new NumberColumn(),
});

/** What the requests of a run took and became, exact however many there are. */
export class Measured {
  readonly tallies = { list: new Tally(), create: new Tally(), all: new Tally() };
  readonly #delays = new NumberColumn();
  readonly #intended = columns();
  readonly #sent = columns();
  readonly #keepsSent: boolean;

  /** @param keepsSent whether latencies from the actual send time are asked for: ten million of them take 80 MB. */
  constructor(keepsSent: boolean) {
    this.#keepsSent = keepsSent;
  }

  /** Adds samples; their latencies as `latencySamples` chooses them. */
  add(samples: readonly Sample[]): void {
    for (const sample of samples) {
      this.tallies[sample.operation].count(sample);
      this.tallies.all.count(sample);
      const delay = scheduleDelayMs(sample);
      if (delay !== undefined) this.#delays.push(delay);
    }
    for (const sample of latencySamples(samples)) {
      this.#intended[sample.operation].push(latencyMs(sample));
      if (this.#keepsSent) this.#sent[sample.operation].push(sample.received - sample.sent);
    }
  }

  /** How much later than planned requests were sent, in milliseconds, ascending. */
  delays(): Float64Array {
    return this.#delays.ascending();
  }

  /** The latencies of an operation, from the intended or the actual send time, ascending; of both where none is named. */
  latencies(origin: 'intended' | 'sent', operation?: Operation): Float64Array {
    const { list, create } = origin === 'intended' ? this.#intended : this.#sent;
    if (operation !== undefined) return { list, create }[operation].ascending();
    const [lists, creates] = [list.ascending(), create.ascending()];
    if (creates.length === 0) return lists;
    const all = new Float64Array(lists.length + creates.length);
    all.set(lists);
    all.set(creates, lists.length);
    return all.sort();
  }
}
