import { ascending } from '../model/latency.ts';

/**
 * The chance that a sample ranks at least this high over another one if both come from one distribution: the
 * Mann-Whitney test, one-sided, in its normal approximation with a correction for ties and for continuity. It assumes
 * nothing about the shape of the distribution, so a few slow responses do not decide.
 * @param higher at least 8 values, as `lower`: below that the approximation is poor.
 */
export function chanceOfHigherRanks(higher: readonly number[], lower: readonly number[]): number {
  const [n, m] = [higher.length, lower.length];
  const all = ascending([...higher, ...lower]);
  const ranks = midranks(all);
  const rankSum = higher.reduce((sum, value) => sum + (ranks.get(value) ?? 0), 0);
  const wins = rankSum - (n * (n + 1)) / 2;
  const total = n + m;
  const variance = ((n * m) / 12) * (total + 1 - tieTerm(all) / (total * (total - 1)));
  return upperTail((wins - (n * m) / 2 - 0.5) / Math.sqrt(variance));
}

/** The rank of each value, from 1; equal values share the middle of their ranks. */
function midranks(sorted: readonly number[]): ReadonlyMap<number, number> {
  const ranks = new Map<number, number>();
  for (const [value, { first, count }] of tiesOf(sorted)) ranks.set(value, first + (count + 1) / 2);
  return ranks;
}

/** The sum of t³ - t over the groups of t equal values. */
const tieTerm = (sorted: readonly number[]): number =>
  [...tiesOf(sorted).values()].reduce((sum, { count }) => sum + count ** 3 - count, 0);

/** How many values lie before each value, and how often it occurs. */
function tiesOf(
  sorted: readonly number[],
): ReadonlyMap<number, { readonly first: number; readonly count: number }> {
  const ties = new Map<number, { readonly first: number; readonly count: number }>();
  for (const [index, value] of sorted.entries()) {
    const { first, count } = ties.get(value) ?? { first: index, count: 0 };
    ties.set(value, { first, count: count + 1 });
  }
  return ties;
}

/** P(Z ≥ z) of the standard normal distribution; Abramowitz and Stegun 7.1.26, to 1.5e-7. */
function upperTail(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const series =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const tail = (series * Math.exp(-x * x)) / 2;
  return z >= 0 ? tail : 1 - tail;
}

/** The value of the standard normal distribution below which this share lies. @param share above 0.5 and below 1. */
export function standardQuantile(share: number): number {
  let [low, high] = [0, 10];
  for (let i = 0; i < 60; i += 1) {
    const middle = (low + high) / 2;
    if (upperTail(middle) > 1 - share) low = middle;
    else high = middle;
  }
  return low;
}
