import { countOf } from '../../kernel/basics/text.ts';
import { medianOfNumbers } from '../../kernel/exchanges/collections.ts';
import type { Finding, LoadRecord } from '../../kernel/findings/record.ts';
import { chancesOfHigherRanks } from './permutation-test.ts';
import { leastRuns, RANKS_ALARM_RATE, runsToDecide, shareOfHigher } from './repetitions.ts';

/** A figure that every run has, with its value in each run of both sets. */
interface CompareMeasure {
  readonly figure: string;
  readonly worseIs: 'more' | 'less';
  readonly first: readonly number[];
  readonly second: readonly number[];
  /** The smallest difference of the medians that matters, in the unit of the figure. */
  readonly margin: number;
  /** What the difference of the medians owes to this machine, which sent later in the second set; 0 for counts. */
  readonly sentLater: number;
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
const worseBy = ({ worseIs, first, second }: CompareMeasure): number =>
  (worseIs === 'more' ? 1 : -1) * (medianOfNumbers(second) - medianOfNumbers(first));

/** The values of all runs, the first set before the second, so that higher is worse. */
const oriented = ({ worseIs, first, second }: CompareMeasure): readonly number[] =>
  [...first, ...second].map((value) => (worseIs === 'more' ? value : -value));

/** The median of a set, with its lowest and highest value where they differ. */
function setText(values: readonly number[], text: (value: number) => string): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const middle = text(medianOfNumbers(values));
  return low === high ? middle : `${middle} (${text(low)} to ${text(high)})`;
}

/**
 * How one figure changed from the first set to the second. `differs` is a difference between two single runs, which
 * may be noise; `undecided` is what more repetitions would decide; `inconclusive` is what cannot be compared.
 */
export type FigureChange = 'same' | 'better' | 'worse' | 'differs' | 'undecided' | 'inconclusive';

export interface ComparedFigure {
  /** Name of the figure: an expectation, a count or a latency. */
  readonly figure: string;
  /** Its value in the first set: the median where runs differ, with the lowest and the highest. */
  readonly first: string;
  readonly second: string;
  readonly change: FigureChange;
  /** Why it is so, or cannot be compared, in a clause; empty where there is nothing to say. */
  readonly because: string;
}

/** An expectation and whether each run failed it: 1 or 0, the runs of the first set before those of the second. */
interface VerdictMeasure {
  readonly id: Finding['id'];
  readonly failed: readonly number[];
}

export const verdictMeasures = (
  first: readonly LoadRecord[],
  second: readonly LoadRecord[],
): readonly VerdictMeasure[] =>
  idsOf(second).map((id) => ({
    id,
    failed: [...first, ...second].map((one) => (verdictOf(one, id) === 'fail' ? 1 : 0)),
  }));

/**
 * Compares the verdict of every expectation. It is worse where no run of the first set fails it and every run of
 * the second does, or where the test says so: what fails now and then may do so in both sets.
 * @param worse the expectations that fail more often, by the test over all figures.
 */
export function comparedVerdicts(
  first: readonly LoadRecord[],
  second: readonly LoadRecord[],
  worse: ReadonlySet<string>,
): readonly ComparedFigure[] {
  return idsOf(second).map((id) => {
    const [before, after] = [countsOf(first, id), countsOf(second, id)];
    const change = changeOf(before, after, worse.has(id));
    return {
      figure: id,
      first: textOf(before),
      second: textOf(after),
      change,
      because: REASONS[change] ?? '',
    };
  });
}

const REASONS: Readonly<Partial<Record<FigureChange, string>>> = {
  inconclusive: 'inconclusive in the second run',
  undecided: 'it fails now and then: more repetitions decide whether more often than before',
};

type Counts = Readonly<Record<(typeof COUNTED)[number], number>>;

const COUNTED = ['pass', 'fail', 'inconclusive'] as const;

function changeOf(before: Counts, after: Counts, isWorse: boolean): FigureChange {
  const decided = after.pass + after.fail;
  if (isWorse || (before.fail === 0 && after.pass + after.inconclusive === 0)) return 'worse';
  if (decided === 0) return 'inconclusive';
  if (before.fail === 0) {
    if (after.fail > 0) return 'undecided';
    return before.pass === 0 ? 'better' : 'same';
  }
  return after.fail === 0 ? 'better' : 'same';
}

const idsOf = (set: readonly LoadRecord[]): readonly Finding['id'][] => [
  ...new Set(set.flatMap(({ requirements }) => requirements.map(({ id }) => id))),
];

const verdictOf = ({ requirements }: LoadRecord, id: Finding['id']): keyof Counts => {
  const found = requirements.find((one) => one.id === id)?.verdict;
  return COUNTED.find((one) => one === found) ?? 'inconclusive';
};

function countsOf(set: readonly LoadRecord[], id: Finding['id']): Counts {
  const counts = { pass: 0, fail: 0, inconclusive: 0 };
  for (const one of set) counts[verdictOf(one, id)] += 1;
  return counts;
}

/** `pass`, or `4 pass, 1 fail` of several runs that differ. */
function textOf(counts: Counts): string {
  const found = COUNTED.filter((verdict) => counts[verdict] > 0);
  return found.length === 1
    ? (found[0] ?? '')
    : found.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ');
}

/** Judges all measures by one test, so that the false-alarm rate holds for the whole comparison. */
export function judgedMeasures(
  measures: readonly CompareMeasure[],
  failures: readonly VerdictMeasure[],
  first: number,
  second: number,
) {
  const values = [...measures.map(oriented), ...failures.map(({ failed }) => failed)];
  const chances = chancesOfHigherRanks(values, second);
  const improved = chancesOfHigherRanks(
    values.map((one) => one.map((value) => -value)),
    second,
  );
  const varying = values.filter((one) => new Set(one).size > 1).length;
  const set: SetSizes = { runs: Math.min(first, second), isSingle: first === 1 && second === 1, varying };
  return {
    figures: measures.map((measure, i) => figureOf(measure, chances[i] ?? 1, improved[i] ?? 1, set)),
    worse: new Set(
      failures.flatMap(({ id }, i) => ((chances[measures.length + i] ?? 1) <= RANKS_ALARM_RATE ? [id] : [])),
    ),
  };
}

interface SetSizes {
  /** Of the smaller set. */
  readonly runs: number;
  readonly isSingle: boolean;
  readonly varying: number;
}

function figureOf(
  measure: CompareMeasure,
  chance: number,
  improved: number,
  { runs, isSingle, varying }: SetSizes,
): ComparedFigure {
  const { figure, first, second, margin, sentLater, text } = measure;
  const as = (change: ComparedFigure['change'], because = ''): ComparedFigure => ({
    figure,
    first: setText(first, text),
    second: setText(second, text),
    change,
    because,
  });
  const worse = worseBy(measure);
  const isConstant = new Set([...first, ...second]).size === 1;
  if (isConstant) return as('same');
  if (isSingle) return Math.abs(worse) > margin ? as('differs', 'this may be noise') : as('same');
  if (worse > margin) {
    if (chance > RANKS_ALARM_RATE) return as('undecided', moreText(measure, runs, varying));
    return worse - sentLater > margin
      ? as('worse')
      : as('inconclusive', 'this machine sent later in the second set, which explains the difference');
  }
  const least = leastRuns(varying);
  if (runs < least) return as('undecided', tooFewText(least - runs));
  return -worse > margin && improved <= RANKS_ALARM_RATE ? as('better') : as('same');
}

const tooFewText = (more: number): string =>
  `too few repetitions to find a difference: ${countOf(more, 'more run')} of each would be the least`;

/** How many repetitions would decide about a difference that noise explains so far. */
function moreText(measure: CompareMeasure, runs: number, varying: number): string {
  const all = oriented(measure);
  const split = measure.first.length;
  const share = shareOfHigher(all.slice(0, split), all.slice(split));
  const needed = runsToDecide(share, varying);
  const why = 'not decidable with these repetitions';
  if (needed === undefined) return `${why}: the runs of a set differ too much`;
  return `${why}: about ${countOf(Math.max(1, needed - runs), 'more run')} of each would decide`;
}
