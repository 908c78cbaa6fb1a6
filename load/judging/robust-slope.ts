import { medianOfNumbers } from '../../kernel/exchanges/collections.ts';
import { ascending } from '../model/latency.ts';

/** A value at a time; any units. */
export interface Point {
  readonly at: number;
  readonly value: number;
}

/** How values grow per unit of time. */
export interface Growth {
  readonly slope: number;
  /** The ends of an interval that contains the slope of a straight line, apart from a chance of `FALSE_ALARM_CHANCE` on each side. */
  readonly low: number;
  readonly high: number;
  /** The value of the line at the first point. */
  readonly start: number;
}

/** The normal quantile of a chance of 1 in 10,000 on one side: `FALSE_ALARM_CHANCE`. */
const QUANTILE = 3.719;

/**
 * The slope of Theil and Sen: the median of the slopes between all pairs of points, with the interval that
 * Sen (1968) derives from the distribution of Kendall's statistic. Neither assumes a shape of the
 * errors, and a few outliers hardly change them.
 * Undefined where there are too few points for the interval to be bounded: fewer than 10.
 */
export function growthOf(points: readonly Point[]): Growth | undefined {
  const slopes = ascending(
    points.flatMap((a, i) =>
      points.slice(i + 1).flatMap((b) => (b.at === a.at ? [] : [(b.value - a.value) / (b.at - a.at)])),
    ),
  );
  const n = points.length;
  const spread = QUANTILE * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const low = slopes[Math.floor((slopes.length - spread) / 2) - 1];
  const high = slopes[Math.ceil((slopes.length + spread) / 2)];
  if (low === undefined || high === undefined) return undefined;
  const slope = medianOfNumbers(slopes);
  const [first] = points;
  const start = medianOfNumbers(points.map(({ at, value }) => value - slope * (at - (first?.at ?? 0))));
  return { slope, low, high, start };
}
