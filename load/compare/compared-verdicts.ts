import type { Finding, LoadRecord } from '../../kernel/findings/record.ts';
import type { ComparedFigure, FigureChange } from './compared-figure.ts';

/** An expectation and whether each run failed it: 1 or 0, the runs of the first set before those of the second. */
export interface VerdictMeasure {
  readonly id: Finding['id'];
  readonly failed: readonly number[];
}

/** The expectations of the second set, each with the runs that failed it. */
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

/** The verdicts of load. */
const COUNTED = ['pass', 'fail', 'inconclusive'] as const;

function changeOf(before: Counts, after: Counts, isWorse: boolean): FigureChange {
  const decided = after.pass + after.fail;
  if (isWorse || (before.fail === 0 && after.fail > 0 && after.pass + after.inconclusive === 0))
    return 'worse';
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
