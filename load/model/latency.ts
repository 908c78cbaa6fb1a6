import type { LatencySummary } from '../../kernel/findings/load.ts';
import type { Sample } from './sample.ts';

/**
 * Milliseconds from the intended send time to the last byte of the response. A request that a stalled target delayed is
 * measured from when it should have been sent, so a stall cannot hide the requests it held back (coordinated omission).
 * Where no send time was planned, measured from when it was sent.
 */
export const latencyMs = ({ planned, sent, received }: Sample): number =>
  received - Math.min(planned ?? sent, sent);

/** How much later than planned a request was sent, in milliseconds; undefined where no send time was planned. */
export const scheduleDelayMs = ({ planned, sent }: Sample): number | undefined =>
  planned === null ? undefined : Math.max(0, sent - planned);

export const ascending = (values: readonly number[]): readonly number[] => [...values].sort((a, b) => a - b);

type Sorted = readonly number[] | Float64Array;

/**
 * The value at or below which this share (0 to 1) of the values lies, by the nearest rank, so it is always a measured
 * one: exact, and the same on every machine. NaN where there is no value.
 * @param sorted ascending.
 */
export function quantile(sorted: Sorted, share: number): number {
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

/** The median of values in any order, by the nearest rank; NaN where there is no value. */
export const nearestMedian = (values: readonly number[]): number => quantile(ascending(values), 0.5);

/**
 * The samples that latency is measured on: all with a response, except the preflight request of each
 * key. It also pays for name resolution, connection and TLS handshake, and among a hundred requests it
 * alone would decide the 99th percentile.
 */
export const latencySamples = (samples: readonly Sample[]): readonly Sample[] =>
  samples.filter(({ kind, outcome }) => kind !== 'preflight' && outcome.kind === 'answer');

/** Sums up latencies in milliseconds, ascending; null where there is none. */
export function latencySummaryOf(sorted: Sorted): LatencySummary | null {
  if (sorted.length === 0) return null;
  return {
    count: sorted.length,
    min: quantile(sorted, 0),
    p50: quantile(sorted, 0.5),
    p90: quantile(sorted, 0.9),
    p99: quantile(sorted, 0.99),
    p999: quantile(sorted, 0.999),
    max: quantile(sorted, 1),
    twentieths: Array.from({ length: 19 }, (_, i) => quantile(sorted, (i + 1) / 20)),
  };
}
