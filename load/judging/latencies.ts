import { latencyMs, latencySamples } from '../model/latency.ts';
import type { Operation } from '../model/profile.ts';
import type { Sample } from '../model/sample.ts';
import { NumberColumn } from './number-column.ts';

/** From which moment latency is measured: the intended send time, or the actual one. */
export type LatencyOrigin = 'intended' | 'sent';

const columns = (): Readonly<Record<Operation, NumberColumn>> => ({
  list: new NumberColumn(),
  create: new NumberColumn(),
});

/** The latencies of all requests of a run in milliseconds, exact however many there are. */
export class Latencies {
  readonly #intended = columns();
  readonly #sent = columns();
  readonly #keepsSent: boolean;

  /** @param keepsSent whether latencies from the actual send time are asked for: only a threshold needs them. */
  constructor(keepsSent: boolean) {
    this.#keepsSent = keepsSent;
  }

  /** Adds the latencies of samples, as `latencySamples` chooses them. */
  add(samples: readonly Sample[]): void {
    for (const sample of latencySamples(samples)) {
      this.#intended[sample.operation].push(latencyMs(sample));
      if (this.#keepsSent) this.#sent[sample.operation].push(sample.received - sample.sent);
    }
  }

  /** The latencies of an operation, ascending; of both where none is named. */
  ascending(origin: LatencyOrigin, operation?: Operation): Float64Array {
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
