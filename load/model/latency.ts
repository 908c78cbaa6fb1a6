import type { LatencySummary } from './record.ts';
import type { Sample } from './sample.ts';

/**
 * Milliseconds from the moment at which a request was due to the last byte of
 * its answer. A request that a stalled target held back is counted from when
 * it should have left, so a stall cannot hide its own victims (coordinated
 * omission). Where no moment was planned, from when it was sent.
 */
export const latencyMs = ({ planned, sent, received }: Sample): number =>
  received - Math.min(planned ?? sent, sent);

/** How much later than planned a request was sent, in milliseconds; undefined where nothing was planned. */
export const lateMs = ({ planned, sent }: Sample): number | undefined =>
  planned === null ? undefined : Math.max(0, sent - planned);

/** Ascending. */
export const ascending = (values: readonly number[]): readonly number[] => [...values].sort((a, b) => a - b);

/**
 * The value at or below which this share (0 to 1) of them lies: the nearest
 * rank, so always one that was measured. A run holds all its samples, so they
 * are sorted rather than put into the buckets of a histogram: exact, and the
 * same on every machine. NaN where there is none.
 * @param sorted ascending.
 */
export function quantile(sorted: readonly number[], share: number): number {
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

/**
 * The requests whose answers tell how fast the target is: those that were answered, but for the look of each
 * key. It finds the name, connects and shakes hands first, and of a hundred requests it alone would be what
 * 99 of 100 stay below.
 */
export const timed = (samples: readonly Sample[]): readonly Sample[] =>
  samples.filter(({ kind, outcome }) => kind !== 'preflight' && outcome.kind === 'answer');

/** The latencies of what was answered after the look; null where nothing was. */
export function latencySummary(samples: readonly Sample[]): LatencySummary | null {
  const sorted = ascending(timed(samples).map(latencyMs));
  if (sorted.length === 0) return null;
  return {
    count: sorted.length,
    min: quantile(sorted, 0),
    p50: quantile(sorted, 0.5),
    p90: quantile(sorted, 0.9),
    p99: quantile(sorted, 0.99),
    p999: quantile(sorted, 0.999),
    max: quantile(sorted, 1),
  };
}
