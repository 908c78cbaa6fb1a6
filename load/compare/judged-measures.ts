import { countOf } from '../../kernel/basics/text.ts';
import type { ComparedFigure } from './compared-figure.ts';
import type { VerdictMeasure } from './compared-verdicts.ts';
import type { CompareMeasure } from './measures.ts';
import { oriented, setText, worseBy } from './measures.ts';
import { chancesOfHigherRanks } from './permutation-test.ts';
import { leastRuns, RANKS_ALARM_RATE, runsToDecide, shareOfHigher } from './repetitions.ts';

/** The figures of both sets, and the expectations that fail more often in the second. */
interface JudgedMeasures {
  readonly figures: readonly ComparedFigure[];
  readonly worse: ReadonlySet<string>;
}

/** Judges all measures by one test, so that the false-alarm rate holds for the whole comparison. */
export function judgedMeasures(
  measures: readonly CompareMeasure[],
  failures: readonly VerdictMeasure[],
  first: number,
  second: number,
): JudgedMeasures {
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
  /** How many measures vary at all. */
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
