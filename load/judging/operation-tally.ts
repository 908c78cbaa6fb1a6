import { greatest, least } from '../../kernel/exchanges/collections.ts';
import type { Operation } from '../model/profile.ts';
import type { Sample } from '../model/sample.ts';
import { isAccepted, isError } from '../model/sample.ts';

/** Counts and times of the requests of one operation. Times are in milliseconds since the Unix epoch; infinite where there is no request. */
export interface OperationTally {
  readonly requests: number;
  /** Requests with a 2xx response. */
  readonly accepted: number;
  /** Requests with a 5xx or without a response. */
  readonly failed: number;
  readonly firstSent: number;
  readonly lastReceived: number;
  /** Requests with a planned send time. */
  readonly planned: number;
  readonly firstPlanned: number;
  readonly lastPlanned: number;
}

/** The tally of each operation. */
export type OperationTallies = Readonly<Record<Operation, OperationTally>>;

/** The tallies of samples by operation. */
export const operationTallies = (samples: readonly Sample[]): OperationTallies => ({
  list: tallyOf(samples.filter(({ operation }) => operation === 'list')),
  create: tallyOf(samples.filter(({ operation }) => operation === 'create')),
});

function tallyOf(samples: readonly Sample[]): OperationTally {
  const planned = samples.flatMap((one) => one.planned ?? []);
  return {
    requests: samples.length,
    accepted: samples.filter(isAccepted).length,
    failed: samples.filter(isError).length,
    firstSent: least(samples.map(({ sent }) => sent)),
    lastReceived: greatest(samples.map(({ received }) => received)),
    planned: planned.length,
    firstPlanned: least(planned),
    lastPlanned: greatest(planned),
  };
}

/** The tally of requests that were tallied in parts. */
export function sumOfTallies(tallies: readonly OperationTally[]): OperationTally {
  const sum = (count: 'requests' | 'accepted' | 'failed' | 'planned'): number =>
    tallies.reduce((total, tally) => total + tally[count], 0);
  return {
    requests: sum('requests'),
    accepted: sum('accepted'),
    failed: sum('failed'),
    firstSent: least(tallies.map(({ firstSent }) => firstSent)),
    lastReceived: greatest(tallies.map(({ lastReceived }) => lastReceived)),
    planned: sum('planned'),
    firstPlanned: least(tallies.map(({ firstPlanned }) => firstPlanned)),
    lastPlanned: greatest(tallies.map(({ lastPlanned }) => lastPlanned)),
  };
}
