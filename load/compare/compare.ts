import type { LoadRecord } from '../../kernel/findings/record.ts';
import type { ComparedFigure, FigureChange } from './measures.ts';
import { countMeasures, figureOf, figuresOf, latencyMeasures, verdictMeasures } from './measures.ts';
import type { Sets } from './repetitions.ts';
import {
  areInTurn,
  differences,
  ENVIRONMENT,
  FALSE_ALARM_RATE,
  foundEffect,
  OTHERWISE,
  SETUP,
  unfinishedRuns,
} from './repetitions.ts';
import { shapeFigures } from './shape.ts';

export interface LoadComparison {
  readonly schemaVersion: 4;
  readonly runs: readonly [first: number, second: number];
  /** `worse` where anything is, else `undecided` where anything is or cannot be compared, else `not worse`. */
  readonly outcome: 'not worse' | 'worse' | 'undecided';
  /** How much worse a figure may be, as a share of its value in the first set. */
  readonly tolerance: number;
  /** How often two sets of equal runs report a regression, at the most. */
  readonly falseAlarmRate: number;
  readonly figures: readonly ComparedFigure[];
  /** Differences between the runs that the figures do not show, one sentence each. */
  readonly remarks: readonly string[];
}

/**
 * Compares two sets of runs of one profile: verdicts, counts and latencies; what is not comparable is named. A figure
 * is worse where a permutation test says so, with a chance of error of at most `FALSE_ALARM_RATE` for all of them, and
 * the sets differ by more than the tolerance, a share (0.1 is a tenth). Of two single runs only verdicts decide. Pure.
 */
export function compareLoads(
  first: readonly LoadRecord[],
  second: readonly LoadRecord[],
  tolerance: number,
): LoadComparison {
  const [base, ...others] = [...first, ...second];
  if (base === undefined) throw new RangeError('A comparison needs runs.');
  const setup = differences(base, others, SETUP);
  const endings = [...unfinishedRuns('first', first), ...unfinishedRuns('second', second)];
  const environment = differences(base, others, ENVIRONMENT).map(
    (text) => `${text} Latencies are not comparable.`,
  );
  const isSingle = first.length === 1 && second.length === 1;
  const sets = { first, second, tolerance };
  const figures = allFigures(sets, { setup, endings, environment });
  const has = (...changes: readonly FigureChange[]): boolean =>
    figures.some(({ change }) => changes.includes(change));
  const otherwise = has('inconclusive', 'undecided') ? 'undecided' : 'not worse';
  return {
    schemaVersion: 4,
    runs: [first.length, second.length],
    outcome: has('worse') ? 'worse' : otherwise,
    tolerance,
    falseAlarmRate: FALSE_ALARM_RATE,
    figures,
    remarks: [
      ...setup,
      ...endings,
      ...environment,
      ...differences(base, others, OTHERWISE),
      ...(isSingle
        ? [
            'One run on each side cannot tell a change of latency or counts from noise, so only verdicts decide: repeat the profile with --repeat and compare the sets.',
          ]
        : foundText(sets)),
    ],
  };
}

/** Which change of the median latency these runs would have shown, in a sentence; none where latencies are not comparable. */
function foundText(sets: Sets): readonly string[] {
  const both = [sets.first, sets.second];
  const effect = foundEffect(Math.min(...both.map(({ length }) => length)));
  if (effect === undefined || !areInTurn(sets)) return [];
  const medians = both.map((set) => set.map(({ latencyMs }) => Math.log(latencyMs?.p50 ?? 0)));
  const factor = Math.exp(effect * spreadWithin(medians));
  return Number.isFinite(factor)
    ? [
        `A median latency that is ${factor.toFixed(2)} times as high would have shown in 8 of 10 such comparisons.`,
      ]
    : [];
}

function spreadWithin(sets: readonly (readonly number[])[]): number {
  const squares = sets.flatMap((values) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => (value - mean) ** 2);
  });
  return Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / (squares.length - sets.length));
}

/** What makes runs or latencies incomparable, in sentences. */
type Obstacles = Readonly<Record<'setup' | 'endings' | 'environment', readonly string[]>>;

function allFigures(sets: Sets, { setup, endings, environment }: Obstacles): readonly ComparedFigure[] {
  const outcome = figureOf('outcome', sets, (set) =>
    [...new Set(set.map(({ outcome: one }) => one))].join(', '),
  );
  if (setup.length > 0) return [outcome('inconclusive', 'the runs differ in profile, limits or requests')];
  const trouble = latencyTrouble(sets, environment);
  const verdicts = verdictMeasures(sets);
  const measures = [
    ...verdicts,
    ...countMeasures(sets),
    ...(trouble === undefined ? latencyMeasures(sets) : []),
  ];
  const figures = figuresOf(measures, sets.second.length);
  // A failure counts even if the run then stopped early, perhaps because of a ban or an outage.
  if (endings.length > 0)
    return [
      outcome('inconclusive', 'a run did not finish'),
      ...figures.slice(0, verdicts.length).filter(({ change }) => change === 'worse'),
    ];
  return [...figures, ...(trouble === undefined ? shapeFigures(sets) : [trouble])];
}

const NOT_IN_TURN =
  'the runs of both sets were not recorded in turn, so a machine whose load changed meanwhile looks like a change of the target: record them with load PROFILE --target … --against … --repeat n';

/** Why latencies cannot be compared, as a figure; undefined where they can. */
function latencyTrouble(sets: Sets, environment: readonly string[]): ComparedFigure | undefined {
  const figure = figureOf('latency p50', sets, (set) =>
    set.map(({ latencyMs }) => (latencyMs === null ? 'none' : `${latencyMs.p50.toFixed(2)} ms`)).join(', '),
  );
  if ([...sets.first, ...sets.second].some(({ latencyMs }) => latencyMs === null))
    return figure('inconclusive', 'a run has no response');
  if (environment.length > 0)
    return figure('inconclusive', 'the runs used different machines or k6 versions');
  return areInTurn(sets) ? undefined : figure('undecided', NOT_IN_TURN);
}
