import { greatest, least, medianOfNumbers } from '../../kernel/exchanges/collections.ts';
import type { LoadPhase } from '../../kernel/findings/load.ts';
import { ascending, latencyMs, latencySamples, nearestMedian } from '../model/latency.ts';
import type { Sample } from '../model/sample.ts';
import { isError } from '../model/sample.ts';
import type { LoadEvidence, Span } from './evidence.ts';
import { dueAt, phaseOf } from './evidence.ts';
import { chanceOfHigherRanks } from './rank-test.ts';
import { compareLatency, FALSE_ALARM_CHANCE, medianOf, responseMs, slowFrom } from './slower.ts';

export interface Point {
  readonly at: number;
  readonly value: number;
}

interface Growth {
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
 * The slope of Theil and Sen: the median of the slopes between all pairs of points, with the interval that Sen (1968)
 * derives from the distribution of Kendall's statistic. Neither assumes a shape of the errors, and a few outliers
 * hardly change them. Undefined where there are too few points for the interval to be bounded: fewer than 10.
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
type TrendVerdict = 'steady' | 'grew' | 'uncertain' | 'sent late';

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
const isGrowth = (trend: LatencyTrend): boolean => isLargeGrowth(trend, trend.low);

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

export function firstAndLast(samples: readonly Sample[]): readonly [readonly Sample[], readonly Sample[]] {
  const quarter = Math.floor(samples.length / 4);
  return [samples.slice(0, quarter), samples.slice(samples.length - quarter)];
}

/**
 * How many requests of each half of a run got a 5xx or no response, and whether the second half has more than chance
 * explains, and more than one in a hundred. @param samples in the order in which they were due.
 */
export function errorHalves(samples: readonly Sample[]) {
  const marks = samples.map((one) => (isError(one) ? 1 : 0));
  const half = Math.floor(marks.length / 2);
  const [early, late] = [marks.slice(0, half), marks.slice(half)];
  const sum = (values: readonly number[]): number => values.reduce<number>((total, one) => total + one, 0);
  const [first, second] = [sum(early), sum(late)];
  const grew = second > late.length / 100 && chanceOfHigherRanks(late, early) < FALSE_ALARM_CHANCE;
  return { first, second, grew };
}

/** The requests of a run with a burst: at a low rate before it, in it, and at the low rate after it. In the order of sending. */
export interface SpikePhases {
  readonly before: readonly Sample[];
  readonly during: readonly Sample[];
  readonly after: readonly Sample[];
  /** From the first request of the burst to the last response to it, of all keys. Milliseconds since the Unix epoch. */
  readonly burst: Span;
}

/** The phases of a spike; undefined where no burst was sent. What no phase contains was sent while another key still sent its burst. */
export function spikePhases({ scenarios }: LoadEvidence): SpikePhases | undefined {
  const all = scenarios.flatMap(({ samples }) => samples).sort((a, b) => a.sent - b.sent);
  const during = all.filter(({ kind }) => kind === 'burst');
  if (during.length === 0) return undefined;
  const burst = {
    from: least(during.map(({ sent }) => sent)),
    until: greatest(during.map(({ received }) => received)),
  };
  const low = all.filter(({ kind }) => kind === 'paced');
  return {
    before: low.filter(({ received }) => received <= burst.from),
    during,
    after: low.filter((one) => dueAt(one) >= burst.until),
    burst,
  };
}

/** How many responses in a row must be as fast as before: by their median, so that one slow response does not count. */
const IN_A_ROW = 5;

/**
 * How long after the burst latency was what it had been before, and stayed so, in milliseconds: until the first
 * of the requests from which on the median of every five is not slower. Undefined where that did not come.
 */
export function recoveryMs({ before, after, burst }: SpikePhases): number | undefined {
  const usual = medianOf(latencySamples(before));
  const answered = latencySamples(after);
  const windows = Math.max(0, answered.length - IN_A_ROW + 1);
  let from: number | undefined;
  for (let at = windows - 1; at >= 0; at -= 1) {
    if (medianOf(answered.slice(at, at + IN_A_ROW)) > slowFrom(usual)) break;
    from = at;
  }
  if (from === undefined) return undefined;
  // The median of five may be fast although the first of them is not.
  const first = answered.slice(from).find((one) => latencyMs(one) <= slowFrom(usual));
  return first === undefined ? undefined : Math.max(0, dueAt(first) - burst.until);
}

/** The figures of the phases, for the report. @param oneOf of how many requests one was kept. */
export function spikeFigures(phases: SpikePhases, oneOf: number): readonly LoadPhase[] {
  const { before, during, after, burst } = phases;
  const all = [...before, ...during, ...after];
  const spanOf = (samples: readonly Sample[]): Span => ({
    from: least(samples.map(dueAt)) - 1,
    until: greatest(samples.map(({ received }) => received)),
  });
  const rows = [
    ['before the burst', before, spanOf(before)],
    ['burst', during, { from: burst.from - 1, until: burst.until }],
    ['after the burst', after, spanOf(after)],
  ] as const;
  return rows.flatMap(([name, samples, span]) =>
    samples.length === 0 ? [] : [phaseOf(name, { samples, all, span, oneOf })],
  );
}
