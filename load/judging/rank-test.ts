import { ascending } from '../model/latency.ts';

/**
 * The chance that a sample ranks at least this high over another one if both come from one distribution: the
 * Mann-Whitney test, one-sided, in its normal approximation with a correction for ties and for continuity. It assumes
 * nothing about the shape of the distribution, so a few slow responses do not decide.
 * @param higher at least 8 values, as `lower`: below that the approximation is poor.
 */
export function chanceOfHigherRanks(higher: readonly number[], lower: readonly number[]): number {
  const [n, m] = [higher.length, lower.length];
  const ties = tiesOf(ascending([...higher, ...lower]));
  const rankOf = (value: number): number => {
    const { first, count } = ties.get(value) ?? { first: 0, count: 0 };
    // Equal values share the middle of their ranks.
    return first + (count + 1) / 2;
  };
  const rankSum = higher.reduce((sum, value) => sum + rankOf(value), 0);
  const wins = rankSum - (n * (n + 1)) / 2;
  const total = n + m;
  const tied = [...ties.values()].reduce((sum, { count }) => sum + count ** 3 - count, 0);
  const variance = ((n * m) / 12) * (total + 1 - tied / (total * (total - 1)));
  return upperTail((wins - (n * m) / 2 - 0.5) / Math.sqrt(variance));
}

/** How many values lie before each value, and how often it occurs. */
function tiesOf(sorted: readonly number[]) {
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
