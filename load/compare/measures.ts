import { medianOfNumbers } from '../../kernel/exchanges/collections.ts';
import type { LoadRecord } from '../../kernel/findings/record.ts';

/** A figure that every run has, with its value in each run of both sets. */
export interface CompareMeasure {
  readonly figure: string;
  /** Whether more of it is worse. */
  readonly worseIs: 'more' | 'less';
  readonly first: readonly number[];
  readonly second: readonly number[];
  /** The smallest difference of the medians that matters, in the unit of the figure. */
  readonly margin: number;
  /** What the difference of the medians owes to this machine, which sent later in the second set; 0 for counts. */
  readonly sentLater: number;
  /** The value for a person. */
  text(value: number): string;
}

/** Smaller differences of latency are noise, in milliseconds. */
export const NOISE_MS = 1;

/** The compared percentiles, each with the share of responses above it, and the schedule delay that explains it. */
const PERCENTILES = [
  ['latency p50', 'p50', 0.5, 'p50'],
  ['latency p90', 'p90', 0.1, 'p99'],
  ['latency p99', 'p99', 0.01, 'p99'],
] as const;

/** The percentiles of latency, where every run has enough responses: with fewer, a percentile is the slowest response. */
export function latencyMeasures(
  first: readonly LoadRecord[],
  second: readonly LoadRecord[],
  tolerance: number,
): readonly CompareMeasure[] {
  const counts = [...first, ...second].map(({ latencyMs }) => latencyMs?.count ?? 0);
  return PERCENTILES.flatMap(([figure, field, beyond, delay]) => {
    if (Math.min(...counts) * beyond < 1) return [];
    const values = (set: readonly LoadRecord[]) => set.map(({ latencyMs }) => latencyMs?.[field] ?? 0);
    return {
      figure,
      worseIs: 'more' as const,
      first: values(first),
      second: values(second),
      margin: Math.max(NOISE_MS, tolerance * medianOfNumbers(values(first))),
      sentLater: latenessBetween(first, second, delay),
      text: (value: number) => `${value.toFixed(2)} ms`,
    };
  });
}

/** How much later this machine sent in the second set, by the medians; milliseconds. */
export function latenessBetween(
  first: readonly LoadRecord[],
  second: readonly LoadRecord[],
  percentile: 'p50' | 'p99',
): number {
  const medianDelay = (set: readonly LoadRecord[]): number =>
    medianOfNumbers(set.map((one) => one.scheduleDelayMs?.[percentile] ?? 0));
  return Math.max(0, medianDelay(second) - medianDelay(first));
}

/** The requests of all keys by outcome. */
export function countMeasures(
  first: readonly LoadRecord[],
  second: readonly LoadRecord[],
  tolerance: number,
): readonly CompareMeasure[] {
  const sum = ({ keys }: LoadRecord, field: 'planned' | 'accepted' | 'rateLimited' | 'failed'): number =>
    keys.reduce((total, one) => total + one[field], 0);
  const planned = first[0] === undefined ? 0 : sum(first[0], 'planned');
  const measure = (figure: 'accepted' | 'rateLimited' | 'failed', worseIs: 'more' | 'less') => ({
    figure,
    worseIs,
    first: first.map((one) => sum(one, figure)),
    second: second.map((one) => sum(one, figure)),
    margin: tolerance * planned,
    sentLater: 0,
    text: String,
  });
  return [measure('accepted', 'less'), measure('rateLimited', 'more'), measure('failed', 'more')];
}

/** By how much the median of the second set is worse; negative where it is better. */
export const worseBy = ({ worseIs, first, second }: CompareMeasure): number =>
  (worseIs === 'more' ? 1 : -1) * (medianOfNumbers(second) - medianOfNumbers(first));

/** The values of all runs, the first set before the second, so that higher is worse. */
export const oriented = ({ worseIs, first, second }: CompareMeasure): readonly number[] =>
  [...first, ...second].map((value) => (worseIs === 'more' ? value : -value));

/** The median of a set, with its lowest and highest value where they differ. */
export function setText(values: readonly number[], text: (value: number) => string): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const middle = text(medianOfNumbers(values));
  return low === high ? middle : `${middle} (${text(low)} to ${text(high)})`;
}
