import { latencyMs, nearestMedian } from '../model/latency.ts';
import type { Sample } from '../model/sample.ts';
import { isError } from '../model/sample.ts';
import { dueAt } from './phases.ts';
import { chanceOfHigherRanks } from './rank-test.ts';
import type { Growth } from './robust-slope.ts';
import { growthOf } from './robust-slope.ts';
import { compareLatency, FALSE_ALARM_CHANCE, responseMs, slowFrom } from './slower.ts';

/** The most slots of a trend: more would not make its interval much narrower. */
const MOST_SLOTS = 60;

/** The fewest responses of a slot: their median is not decided by one or two slow ones. */
const FEWEST_IN_SLOT = 8;

/** The growth of latency over a run. Milliseconds of latency, and milliseconds of time. */
export interface LatencyTrend extends Growth {
  /** From the first to the last slot. */
  readonly spanMs: number;
}

/** What a trend shows: nothing that matters, growth, growth that may be chance, or growth only because this machine sent late. */
export type TrendVerdict = 'steady' | 'grew' | 'uncertain' | 'sent late';

/** The trend of the median latencies of slots with equally many responses; undefined of fewer than about 80 responses. */
export function trendOf(answered: readonly Sample[], measure = latencyMs): LatencyTrend | undefined {
  const slots = Math.min(MOST_SLOTS, Math.floor(answered.length / FEWEST_IN_SLOT));
  const points = Array.from({ length: slots }, (_, slot) => {
    const own = answered.slice(
      Math.floor((slot * answered.length) / slots),
      Math.floor(((slot + 1) * answered.length) / slots),
    );
    return { at: nearestMedian(own.map(dueAt)), value: nearestMedian(own.map(measure)) };
  });
  const growth = growthOf(points);
  return growth === undefined
    ? undefined
    : { ...growth, spanMs: (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0) };
}

/** Whether a trend is certain, and as large over the run as a difference that matters: even the lower end of its interval. */
export const isGrowth = (trend: LatencyTrend): boolean => isLargeGrowth(trend, trend.low);

/** Whether such a slope is a difference that matters over the run. */
const isLargeGrowth = ({ start, spanMs }: LatencyTrend, slope: number): boolean =>
  slope > 0 && start + slope * spanMs > slowFrom(Math.max(0, start));

/**
 * Judges the latency of a run with a constant load: by its trend, and by the last quarter of its responses
 * against the first, since what fails late and suddenly is no line. Undefined of too few responses.
 * @param answered in the order in which they were due.
 */
export function judgeTrend(answered: readonly Sample[]): TrendVerdict | undefined {
  const trend = trendOf(answered);
  if (trend === undefined) return undefined;
  const fromSent = trendOf(answered, responseMs) ?? trend;
  if (isGrowth(trend) && isGrowth(fromSent)) return 'grew';
  const [first, last] = firstAndLast(answered);
  const comparison = compareLatency(last, first);
  if (comparison === 'slowed') return 'grew';
  if (comparison !== 'unaffected') return comparison;
  if (!isGrowth(trend)) return 'steady';
  return isLargeGrowth(fromSent, fromSent.slope) ? 'uncertain' : 'sent late';
}

/** The first and the last quarter of samples. */
export function firstAndLast(samples: readonly Sample[]): readonly [readonly Sample[], readonly Sample[]] {
  const quarter = Math.floor(samples.length / 4);
  return [samples.slice(0, quarter), samples.slice(samples.length - quarter)];
}

/** How many requests of each half of a run got a 5xx or no response. */
export interface ErrorHalves {
  readonly first: number;
  readonly second: number;
  /** Whether the second half has more than chance explains, and more than one in a hundred. */
  readonly grew: boolean;
}

/** Errors of a run by halves. @param samples in the order in which they were due. */
export function errorHalves(samples: readonly Sample[]): ErrorHalves {
  const marks = samples.map((one) => (isError(one) ? 1 : 0));
  const half = Math.floor(marks.length / 2);
  const [early, late] = [marks.slice(0, half), marks.slice(half)];
  const sum = (values: readonly number[]): number => values.reduce<number>((total, one) => total + one, 0);
  const [first, second] = [sum(early), sum(late)];
  const grew = second > late.length / 100 && chanceOfHigherRanks(late, early) < FALSE_ALARM_CHANCE;
  return { first, second, grew };
}
