import { medianOfNumbers } from '../../../kernel/exchanges/collections.ts';

/**
 * How the delays of a client develop over repeated 429 responses, read from several runs of one series. `few`: too few
 * delays or runs. `zero`, `flat` and `linear` are proven not to grow exponentially. `grows`: no constant or linear
 * delay explains them. `unclear`: the rest.
 */
export type SeriesClass = 'few' | 'zero' | 'flat' | 'linear' | 'grows' | 'unclear';

export interface SeriesReading {
  readonly kind: SeriesClass;
  /** The shortest delay at each position over the runs, in milliseconds: noise only adds. */
  readonly delays: readonly number[];
  readonly runs: number;
}

/** Shorter delays count as this (milliseconds) where growth is looked for: below it the noise of a busy machine decides. */
const FLOOR = 60;
/** Two delays this close (milliseconds, or as a share) are the same delay; short ones have to be closer, or their jitter does not show. */
const NEAR = { milliseconds: 40, share: 0.06, short: { below: 100, milliseconds: 15 } } as const;
/** The most (milliseconds): the shortest at each position, their mean, and the median and the longest of all. In a long series the late half may show it. */
const ZERO = { shortest: 30, mean: 4, median: 6, longest: 900, longSeries: 5 } as const;
/** Constant delays differ by this factor at most, and this noise (milliseconds). Shorter ones cannot be separated from the cap of a very short backoff. */
const FLAT = { factor: 1.25, milliseconds: 3, least: 30 } as const;
/** Longer constant delays may be the step of a timer: looking for work every ten seconds hides a backoff of 0.5, 1, 2, 4 and 8 s. */
const SHORTEST_STEP_OF_TIMER = 8000;
/** How far a delay may be from a line (milliseconds, or as a share), and the shortest step (milliseconds) that differs clearly from exponential delays with a short base. */
const LINE = { milliseconds: 10, share: 0.05, shortestStep: 60 } as const;
/** So many delays tell a line from exponential growth. */
const LEAST_FOR_LINE = 5;
const GROWTH_STEP = 1.4;
const GROWTH_TO_CAP = 3.5;
/** Delays of so many 429 responses are read: a scenario has no more. */
const MOST_DELAYS = 6;
/** What the late half may exceed the early half by where the delays are the same. */
const SAME_HALVES = 1.5;
/** Late delays of less than this (milliseconds) are no delays but the time that a request takes. */
const SHORTEST_DELAY = 10;

/**
 * Reads a series.
 * @param runs the delays of each run in their order, in milliseconds; the shortest run decides how many are read.
 * @param usual what the client takes for any request, in milliseconds, as a script that starts programs: so much is no delay.
 */
export function readSeries(runs: readonly (readonly number[])[], usual = 0): SeriesReading {
  const count = Math.min(MOST_DELAYS, ...runs.map((run) => run.length));
  const rows = runs.map((run) => run.slice(0, count));
  const delays =
    rows.length === 0 ? [] : Array.from({ length: count }, (_, at) => Math.min(...column(rows, at)));
  const enough = rows.length > 0 && count >= 3;
  return { kind: enough ? classOf(rows, delays, usual) : 'few', delays, runs: rows.length };
}

function classOf(rows: Rows, delays: readonly number[], usual: number): SeriesClass {
  const same = !latePartIsLonger(rows);
  if (same && isZero(rows, delays, Math.min(usual, ZERO.shortest))) return 'zero';
  if (isUnjittered(rows, delays)) {
    const runsForFlat = delays.length === 3 ? 3 : 2;
    if (same && isFlat(delays) && rows.length >= runsForFlat) return 'flat';
    const points = pointsOf(delays);
    if (delays.length >= LEAST_FOR_LINE && isLine(points)) return isGeometric(points) ? 'unclear' : 'linear';
    if (!isLineButForOne(delays) && growsStepByStep(delays)) return 'grows';
  } else if (same && rows.every(isFlat) && rows.length >= runsForFlatWithin(delays.length)) return 'flat';
  return growsByHalves(rows, delays) ? 'grows' : 'unclear';
}

/** Whether unclear delays may be none: it takes other evidence that the client has no delay of its own. */
export const mayBeNoise = ({ kind, delays }: SeriesReading): boolean =>
  kind === 'unclear' && areShort(delays);

/** Whether delays that are read as unclear are constant, and so long that a timer of the program explains them. */
export const mayBeTimer = ({ kind, delays }: SeriesReading): boolean =>
  kind === 'unclear' && isEven(delays) && isStepOfTimer(delays);

const isStepOfTimer = (delays: readonly number[]): boolean => Math.min(...delays) >= SHORTEST_STEP_OF_TIMER;

type Rows = readonly (readonly number[])[];

const column = (rows: Rows, at: number): readonly number[] => rows.map((row) => row[at] ?? 0);
const floored = (delay: number): number => Math.max(delay, FLOOR);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** At every position half of the runs, and two at least, have nearly the shortest delay; in a short series every run. */
function isUnjittered(rows: Rows, delays: readonly number[]): boolean {
  const enough = Math.max(2, delays.length < 5 ? rows.length : Math.ceil(rows.length / 2));
  return delays.every((shortest, at) => {
    return column(rows, at).filter((delay) => delay <= shortest + nearnessOf(shortest)).length >= enough;
  });
}

const nearnessOf = (shortest: number): number =>
  shortest < NEAR.short.below ? NEAR.short.milliseconds : Math.max(NEAR.milliseconds, NEAR.share * shortest);

/** The late half of a long series may show it alone, because the first requests on a busy machine are slow, and so may all without jitter. */
function isZero(rows: Rows, delays: readonly number[], usual: number): boolean {
  if (!areShort(delays)) return false;
  if (isNoise(rows, delays)) return true;
  if (delays.length < ZERO.longSeries) return false;
  const half = Math.floor(delays.length / 2);
  const late = rows.map((row) => row.slice(-half));
  if (isNoise(late, delays.slice(-half))) return true;
  const beyond = (all: readonly number[]): readonly number[] =>
    all.map((delay) => Math.max(0, delay - usual));
  return isUnjittered(rows, delays) && isNoise(late.map(beyond), beyond(delays.slice(-half)));
}

/** In a long series the first one may be longer: the first retry loads code, which takes a Java machine a tenth of a second. */
const areShort = (delays: readonly number[]): boolean =>
  delays.slice(delays.length >= ZERO.longSeries ? 1 : 0).every((delay) => delay <= ZERO.shortest);

const isNoise = (rows: Rows, shortest: readonly number[]): boolean =>
  sum(shortest) <= ZERO.mean * shortest.length &&
  medianOfNumbers(rows.flat()) <= ZERO.median &&
  Math.max(...rows.flat()) <= ZERO.longest;

const isFlat = (delays: readonly number[]): boolean =>
  isEven(delays) && Math.min(...delays) >= FLAT.least && !isStepOfTimer(delays);

const isEven = (delays: readonly number[]): boolean =>
  Math.max(...delays) <= FLAT.factor * Math.min(...delays) + FLAT.milliseconds;

/** Three delays with jitter within a quarter of each other are a coincidence in one of a thousand series. */
function runsForFlatWithin(count: number): number {
  if (count >= MOST_DELAYS) return 1;
  return count >= 4 ? 2 : Number.POSITIVE_INFINITY;
}

interface Point {
  readonly at: number;
  readonly delay: number;
}

const pointsOf = (delays: readonly number[]): readonly Point[] => delays.map((delay, at) => ({ at, delay }));
const toleranceOf = (delay: number): number => Math.max(LINE.milliseconds, LINE.share * delay);

/** Whether the delays grow by the same step each time, from any first delay. */
function isLine(points: readonly Point[]): boolean {
  const slopes = commonSlopes(points, (delay) => delay);
  return slopes.low <= slopes.high && slopes.high >= LINE.shortestStep;
}

/** Whether the delays grow by the same factor each time: six delays that grow by a tenth each lie on a line as well. */
function isGeometric(points: readonly Point[]): boolean {
  const slopes = commonSlopes(points, (delay) => Math.log(Math.max(1, delay)));
  return slopes.low <= slopes.high;
}

/** Slopes on this scale, none where `low` is above `high`. A line exists if and only if the slopes of all pairs have one in common. */
function commonSlopes(points: readonly Point[], scale: (delay: number) => number) {
  const ranges = points.map(({ at, delay }) => {
    const by = toleranceOf(delay);
    return { at, low: scale(delay - by), high: scale(delay + by) };
  });
  const slopes = ranges.flatMap((one, index) =>
    ranges.slice(index + 1).map((other) => ({
      low: (other.low - one.high) / (other.at - one.at),
      high: (other.high - one.low) / (other.at - one.at),
    })),
  );
  return {
    low: Math.max(...slopes.map(({ low }) => low)),
    high: Math.min(...slopes.map(({ high }) => high)),
  };
}

/** Without one that is longer than the line has it: a machine that stalls lengthens one delay in every run. */
function isLineButForOne(delays: readonly number[]): boolean {
  if (delays.length < LEAST_FOR_LINE) return false;
  const points = pointsOf(delays);
  return points.some((left) => {
    const others = points.filter((one) => one !== left);
    return isLine(others) && left.delay > lineAt(others, left.at);
  });
}

/** The height at a position of the line through the first and the last of these points. */
function lineAt(points: readonly Point[], at: number): number {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return 0;
  return first.delay + ((last.delay - first.delay) * (at - first.at)) / (last.at - first.at);
}

/** Whether each delay is clearly longer than the one before, to the last or to a cap. A first retry without delay is left out. */
function growsStepByStep(delays: readonly number[]): boolean {
  const [first = 0] = delays;
  const counted = (first <= ZERO.shortest ? delays.slice(1) : delays).map(floored);
  // Three delays 1, 2, 3 may be the beginning of a line.
  if (counted.length < 3 || (counted.length === 3 && isLine(pointsOf(counted)))) return false;
  const steps = counted.slice(1).map((delay, at) => delay / (counted[at] ?? delay));
  const stop = steps.findIndex((step) => step < GROWTH_STEP);
  if (stop === -1) return true;
  return (counted[stop] ?? 0) >= GROWTH_TO_CAP * (counted[0] ?? 0) && staysAtCap(counted.slice(stop));
}

/** Whether delays, from the last clear step on, end at a cap: at least two of nearly the same length, after one last smaller step at most. */
function staysAtCap([reached = 0, ...rest]: readonly number[]): boolean {
  const isCap = (delays: readonly number[]): boolean =>
    delays.length >= 2 && Math.max(...delays) - Math.min(...delays) <= nearnessOf(Math.min(...delays));
  return isCap([reached, ...rest]) || (isCap(rest) && Math.min(...rest) >= reached);
}

/** Whether the late half of the delays is so much longer than the early half that nothing but growth explains it. */
function growsByHalves(rows: Rows, delays: readonly number[]): boolean {
  // Noise only adds: what the shortest delays do not show may be noise, and a line with one late stall is a line.
  if (lateShare([delays.map(floored)]) <= 1) return false;
  if (isLine(pointsOf(delays)) || isLineButForOne(delays)) return false;
  return lateShare(rows.map((row) => row.map(floored))) >= leastLateShare(delays.length, rows.length);
}

/** The sum of the late half of the delays over that of the early half, over all runs; the middle one of an odd number is in neither. */
function lateShare(rows: Rows): number {
  const half = halfOf(rows);
  return sum(rows.flatMap((row) => row.slice(-half))) / sum(rows.flatMap((row) => row.slice(0, half)));
}

const halfOf = (rows: Rows): number => Math.floor((rows[0]?.length ?? 0) / 2);

/** Whether the late delays are so much longer that they are not the same, as delays of a few milliseconds with a growing base are. */
function latePartIsLonger(rows: Rows): boolean {
  const half = halfOf(rows);
  const late = rows.flatMap((row) => row.slice(-half));
  return sum(late) / late.length >= SHORTEST_DELAY && lateShare(rows) >= SAME_HALVES;
}

/** Above it no constant delay with jitter U(0, c) explains the delays (99.9 % quantile), nor 1.05 times a line. */
function leastLateShare(count: number, runs: number): number {
  const byRuns = LEAST_LATE_SHARES[count];
  if (byRuns === undefined || runs < 2) return Number.POSITIVE_INFINITY;
  if (runs === 2) return byRuns.two;
  return runs < 5 ? byRuns.three : byRuns.five;
}

const LEAST_LATE_SHARES: Readonly<Record<number, { two: number; three: number; five: number }>> = {
  5: { two: 5.5, three: 3.5, five: 3.15 },
  6: { two: 3.5, three: 2.63, five: 2.63 },
};
