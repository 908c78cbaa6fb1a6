import { greatest } from '../../kernel/exchanges/collections.ts';
import type { LoadPhase } from '../../kernel/findings/load.ts';
import { ascending, latencyMs, latencySamples, quantile } from '../model/latency.ts';
import type { Sample } from '../model/sample.ts';
import { isAccepted, isError, isRateLimited } from '../model/sample.ts';

/** From one moment, which is not part of it, to another, which is; milliseconds since the Unix epoch. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** When a request was due: its planned send time, else when it was sent; milliseconds since the Unix epoch. */
export const dueAt = ({ planned, sent }: Sample): number => planned ?? sent;

/** The requests of a phase of a run. */
interface PhaseSamples {
  /** Those that were due in it. */
  readonly samples: readonly Sample[];
  /** All of the run, in any order. */
  readonly all: readonly Sample[];
  readonly span: Span;
  /** Of how many requests one was kept: with more than one, counts and rates are estimates. */
  readonly oneOf: number;
}

/** The figures of a phase of a run. A target that falls behind shows a lower rate of responses than was offered. */
export function phaseOf(
  name: string,
  { samples, all, span: { from, until }, oneOf }: PhaseSamples,
): LoadPhase {
  const latencies = ascending(latencySamples(samples).map(latencyMs));
  const seconds = Math.max(0.001, (until - from) / 1000);
  const accepted = samples.filter(isAccepted);
  const arrived = Math.max(until, greatest(accepted.map(({ received }) => received)));
  const offered = all.filter((one) => dueAt(one) > from && dueAt(one) <= until);
  return {
    name,
    seconds: Number(seconds.toFixed(3)),
    requests: oneOf * samples.length,
    offeredPerSecond: oneOf * rate(offered.length, seconds),
    acceptedPerSecond: oneOf * rate(accepted.length, (arrived - from) / 1000),
    p50: latencies.length === 0 ? null : quantile(latencies, 0.5),
    p99: latencies.length === 0 ? null : quantile(latencies, 0.99),
    errors: oneOf * samples.filter(isError).length,
    rateLimited: oneOf * samples.filter(isRateLimited).length,
    result: '',
  };
}

const rate = (count: number, seconds: number): number =>
  Number((count / Math.max(0.001, seconds)).toPrecision(4));
