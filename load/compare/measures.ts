import { countOf } from '../../kernel/basics/text.ts';
import { medianOfNumbers } from '../../kernel/exchanges/collections.ts';
import type { Finding, LoadRecord } from '../../kernel/findings/record.ts';
import { chancesOfHigherRanks } from './permutation-test.ts';
import type { Sets } from './repetitions.ts';
import { leastRuns, RANKS_ALARM_RATE, runsToDecide, shareOfHigher } from './repetitions.ts';

/** What the test over all measures says of one of them. */
interface Ranked {
  /** The chance that the second set ranks as high as it does, or as low, if the runs of both sets are alike. */
  readonly worse: number;
  readonly better: number;
  /** How many measures vary at all. */
  readonly varying: number;
}

/** What is compared: its value in every run, those of the first set first, higher is worse; and the figure that its ranks make of it. */
interface Measure {
  readonly values: readonly number[];
  figure(ranked: Ranked): ComparedFigure;
}

/** A figure that every run has, with its value in each run of both sets. */
interface Quantity extends Record<'first' | 'second', readonly number[]> {
  readonly figure: string;
  readonly worseIs: 'more' | 'less';
  /** The smallest difference of the medians that matters, in the unit of the figure. */
  readonly margin: number;
  /** What the difference of the medians owes to this machine, which sent later in the second set; 0 for counts. */
  readonly sentLater: number;
  text(value: number): string;
}

const measureOf = (quantity: Quantity): Measure => ({
  values: oriented(quantity),
  figure: (ranked) => judged(quantity, ranked),
});

/** Smaller differences of latency are noise, in milliseconds. */
export const NOISE_MS = 1;

/** The compared percentiles, each with the share of responses above it, and the schedule delay that explains it. */
const PERCENTILES = [
  ['latency p50', 'p50', 0.5, 'p50'],
  ['latency p90', 'p90', 0.1, 'p99'],
  ['latency p99', 'p99', 0.01, 'p99'],
] as const;

/** The percentiles of latency, where every run has enough responses: with fewer, a percentile is the slowest response. */
export function latencyMeasures(sets: Sets): readonly Measure[] {
  const counts = [...sets.first, ...sets.second].map(({ latencyMs }) => latencyMs?.count ?? 0);
  return PERCENTILES.flatMap(([figure, field, beyond, delay]) => {
    if (Math.min(...counts) * beyond < 1) return [];
    const values = valuesIn(sets, ({ latencyMs }) => latencyMs?.[field] ?? 0);
    return measureOf({
      figure,
      worseIs: 'more',
      ...values,
      margin: Math.max(NOISE_MS, sets.tolerance * medianOfNumbers(values.first)),
      sentLater: latenessBetween(sets, delay),
      text: (value) => `${value.toFixed(2)} ms`,
    });
  });
}

const valuesIn = ({ first, second }: Sets, of: (run: LoadRecord) => number) => ({
  first: first.map(of),
  second: second.map(of),
});

/** How much later this machine sent in the second set, by the medians; milliseconds. */
export function latenessBetween(sets: Sets, percentile: 'p50' | 'p99'): number {
  const { first, second } = valuesIn(sets, (one) => one.scheduleDelayMs?.[percentile] ?? 0);
  return Math.max(0, medianOfNumbers(second) - medianOfNumbers(first));
}

export function countMeasures(sets: Sets): readonly Measure[] {
  const sum =
    (field: 'planned' | 'accepted' | 'rateLimited' | 'failed') =>
    ({ keys }: LoadRecord): number =>
      keys.reduce((total, one) => total + one[field], 0);
  const [planned = 0] = valuesIn(sets, sum('planned')).first;
  const measure = (figure: 'accepted' | 'rateLimited' | 'failed', worseIs: 'more' | 'less') =>
    measureOf({
      figure,
      worseIs,
      ...valuesIn(sets, sum(figure)),
      margin: sets.tolerance * planned,
      sentLater: 0,
      text: String,
    });
  return [measure('accepted', 'less'), measure('rateLimited', 'more'), measure('failed', 'more')];
}

/** By how much the median of the second set is worse; negative where it is better. */
const worseBy = ({ worseIs, first, second }: Quantity): number =>
  (worseIs === 'more' ? 1 : -1) * (medianOfNumbers(second) - medianOfNumbers(first));

const oriented = ({ worseIs, first, second }: Quantity): readonly number[] =>
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

/** A figure of both sets, whose change is still to be stated, with its reason. @param text the figure of a set. */
export const figureOf =
  <Set>(figure: string, { first, second }: Record<'first' | 'second', Set>, text: (set: Set) => string) =>
  (change: FigureChange, because = ''): ComparedFigure => ({
    figure,
    first: text(first),
    second: text(second),
    change,
    because,
  });

/**
 * The verdicts of every expectation. It is worse where no run of the first set fails it and every run of the second
 * does, or where the test says so: what fails now and then may do so in both sets.
 */
export const verdictMeasures = (sets: Sets): readonly Measure[] =>
  [...new Set(sets.second.flatMap(({ requirements }) => requirements.map(({ id }) => id)))].map((id) => ({
    values: [...sets.first, ...sets.second].map((one) => Number(verdictOf(one, id) === 'fail')),
    figure({ worse }) {
      const [before, after] = [countsOf(sets.first, id), countsOf(sets.second, id)];
      const change = changeOf(before, after, worse <= RANKS_ALARM_RATE);
      return figureOf(id, { first: before, second: after }, textOf)(change, REASONS[change]);
    },
  }));

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

/** The figures of all measures, by one test, so that the false-alarm rate holds for the whole comparison. @param second how many runs the second set has. */
export function figuresOf(measures: readonly Measure[], second: number): readonly ComparedFigure[] {
  const values = measures.map((one) => one.values);
  const worse = chancesOfHigherRanks(values, second);
  const better = chancesOfHigherRanks(
    values.map((one) => one.map((value) => -value)),
    second,
  );
  const varying = values.filter((one) => new Set(one).size > 1).length;
  return measures.map((one, i) => one.figure({ worse: worse[i] ?? 1, better: better[i] ?? 1, varying }));
}

function judged(measure: Quantity, { worse: chance, better, varying }: Ranked): ComparedFigure {
  const { figure, first, second, margin, sentLater, text } = measure;
  const as = figureOf(figure, measure, (values: readonly number[]) => setText(values, text));
  const worse = worseBy(measure);
  const isConstant = new Set([...first, ...second]).size === 1;
  if (isConstant) return as('same');
  if (first.length === 1 && second.length === 1)
    return Math.abs(worse) > margin ? as('differs', 'this may be noise') : as('same');
  const runs = Math.min(first.length, second.length);
  if (worse > margin) {
    if (chance > RANKS_ALARM_RATE) return as('undecided', moreText(measure, runs, varying));
    return worse - sentLater > margin
      ? as('worse')
      : as('inconclusive', 'this machine sent later in the second set, which explains the difference');
  }
  const missing = leastRuns(varying) - runs;
  if (missing > 0)
    return as(
      'undecided',
      `too few repetitions to find a difference: ${countOf(missing, 'more run')} of each would be the least`,
    );
  return -worse > margin && better <= RANKS_ALARM_RATE ? as('better') : as('same');
}

/** How many repetitions would decide about a difference that noise explains so far. */
function moreText(measure: Quantity, runs: number, varying: number): string {
  const { first, second, worseIs } = measure;
  const share = worseIs === 'more' ? shareOfHigher(first, second) : shareOfHigher(second, first);
  const needed = runsToDecide(share, varying);
  const why = 'not decidable with these repetitions';
  if (needed === undefined) return `${why}: the runs of a set differ too much`;
  return `${why}: about ${countOf(Math.max(1, needed - runs), 'more run')} of each would decide`;
}
