import { greatest, least } from '../../kernel/exchanges/collections.ts';
import { latencyMs, latencySamples } from '../model/latency.ts';
import type { Operation } from '../model/profile.ts';
import type { Sample } from '../model/sample.ts';
import { isAccepted, isError } from '../model/sample.ts';

/** Counts and times of the requests of one operation. Times are in milliseconds since the Unix epoch; infinite where there is no request. */
export interface OperationTally {
  readonly requests: number;
  readonly accepted: number;
  /** Requests with a 5xx or without a response. */
  readonly failed: number;
  readonly firstSent: number;
  readonly lastReceived: number;
  readonly planned: number;
  readonly firstPlanned: number;
  readonly lastPlanned: number;
}

export type OperationTallies = Readonly<Record<Operation, OperationTally>>;

export const operationTallies = (samples: readonly Sample[]): OperationTallies => ({
  list: sumOfTallies(samples.filter(({ operation }) => operation === 'list').map(tallyOf)),
  create: sumOfTallies(samples.filter(({ operation }) => operation === 'create').map(tallyOf)),
});

const tallyOf = (sample: Sample): OperationTally => ({
  requests: 1,
  accepted: Number(isAccepted(sample)),
  failed: Number(isError(sample)),
  firstSent: sample.sent,
  lastReceived: sample.received,
  planned: Number(sample.planned !== null),
  firstPlanned: sample.planned ?? Number.POSITIVE_INFINITY,
  lastPlanned: sample.planned ?? Number.NEGATIVE_INFINITY,
});

export function sumOfTallies(tallies: readonly OperationTally[]): OperationTally {
  const values = (field: keyof OperationTally): readonly number[] => tallies.map((tally) => tally[field]);
  const sum = (field: keyof OperationTally): number => values(field).reduce((total, one) => total + one, 0);
  return {
    requests: sum('requests'),
    accepted: sum('accepted'),
    failed: sum('failed'),
    firstSent: least(values('firstSent')),
    lastReceived: greatest(values('lastReceived')),
    planned: sum('planned'),
    firstPlanned: least(values('firstPlanned')),
    lastPlanned: greatest(values('lastPlanned')),
  };
}

/**
 * A growing list of numbers, eight bytes each. It lies outside the heap: ten million of them in arrays take several
 * times as much there, and more than Node gives the heap in a small container.
 */
export class NumberColumn {
  #values = new Float64Array(1024);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Float64Array(2 * this.#length);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  /** All numbers, ascending. Sorts in place, so the order of adding is lost. */
  ascending(): Float64Array {
    return this.#values.subarray(0, this.#length).sort();
  }
}

const columns = (): Readonly<Record<Operation, NumberColumn>> => ({
  list: new NumberColumn(),
  create: new NumberColumn(),
});

/** The latencies of all requests of a run in milliseconds, exact however many there are. */
export class Latencies {
  readonly #intended = columns();
  readonly #sent = columns();
  readonly #keepsSent: boolean;

  /** @param keepsSent whether latencies from the actual send time are asked for: ten million of them take 80 MB. */
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

  /** The latencies of an operation, from the intended or the actual send time, ascending; of both where none is named. */
  ascending(origin: 'intended' | 'sent', operation?: Operation): Float64Array {
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
