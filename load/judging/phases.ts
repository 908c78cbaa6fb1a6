import { greatest } from '../../exchanges/collections.ts';
import { ascending, latencyMs, latencySamples, quantile } from '../model/latency.ts';
import type { LoadPhase } from '../model/record.ts';
import type { Sample } from '../model/sample.ts';
import { isError } from './breakdown.ts';

/** From one moment, which is not part of it, to another, which is; milliseconds since the Unix epoch. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** When a request was due: its planned send time, else when it was sent; milliseconds since the Unix epoch. */
export const dueAt = ({ planned, sent }: Sample): number => planned ?? sent;

/**
 * The figures of a phase of a run, of these samples, which were due in it. A target that falls behind shows a
 * lower rate of responses than was offered.
 * @param all all samples of the run, in any order.
 */
export function phaseOf(
  name: string,
  samples: readonly Sample[],
  all: readonly Sample[],
  { from, until }: Span,
): LoadPhase {
  const latencies = ascending(latencySamples(samples).map(latencyMs));
  const seconds = Math.max(0.001, (until - from) / 1000);
  const accepted = samples.filter(isAccepted);
  const arrived = Math.max(until, greatest(accepted.map(({ received }) => received)));
  const has = (status: number): number => samples.filter((one) => statusOf(one) === status).length;
  return {
    name,
    seconds: Number(seconds.toFixed(3)),
    requests: samples.length,
    offeredPerSecond: rate(all.filter((one) => dueAt(one) > from && dueAt(one) <= until).length, seconds),
    acceptedPerSecond: rate(accepted.length, (arrived - from) / 1000),
    p50: latencies.length === 0 ? null : quantile(latencies, 0.5),
    p99: latencies.length === 0 ? null : quantile(latencies, 0.99),
    errors: samples.filter(isError).length,
    rateLimited: has(429),
    result: '',
  };
}

/** The figures of a phase of which only one of so many requests was kept: an estimate. */
export const scaledPhase = (phase: LoadPhase, oneOf: number): LoadPhase =>
  oneOf === 1
    ? phase
    : {
        ...phase,
        requests: phase.requests * oneOf,
        offeredPerSecond: phase.offeredPerSecond * oneOf,
        acceptedPerSecond: phase.acceptedPerSecond * oneOf,
        errors: phase.errors * oneOf,
        rateLimited: phase.rateLimited * oneOf,
      };

const rate = (count: number, seconds: number): number =>
  Number((count / Math.max(0.001, seconds)).toPrecision(4));

const statusOf = ({ outcome }: Sample): number | undefined =>
  outcome.kind === 'answer' ? outcome.status : undefined;

const isAccepted = (sample: Sample): boolean => {
  const status = statusOf(sample) ?? 0;
  return status >= 200 && status < 300;
};
