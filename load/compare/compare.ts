import type { LoadRecord } from '../model/record.ts';
import type { ComparedFigure, FigureChange } from './compared-figure.ts';
import { comparedVerdicts, verdictMeasures } from './compared-verdicts.ts';
import { judgedMeasures } from './judged-measures.ts';
import { countMeasures, latencyMeasures } from './measures.ts';
import { FALSE_ALARM_RATE } from './repetitions.ts';
import {
  environmentDifferences,
  notInTurn,
  otherDifferences,
  setupDifferences,
  unfinishedRuns,
} from './setup.ts';

/** The comparison of two sets of load runs, or of two runs. */
export interface LoadComparison {
  readonly schemaVersion: 3;
  /** How many runs each set has. */
  readonly runs: readonly [first: number, second: number];
  /** `regression` where anything is worse, else `inconclusive` where anything is undecided or cannot be compared, else `none`. */
  readonly outcome: 'none' | 'regression' | 'inconclusive';
  /** How much worse a figure may be, as a share of its value in the first set. */
  readonly tolerance: number;
  /** How often two sets of equal runs report a regression, at the most. */
  readonly falseAlarmRate: number;
  readonly figures: readonly ComparedFigure[];
  /** Differences between the runs that the figures do not show, one sentence each. */
  readonly remarks: readonly string[];
}

const ALONE =
  'One run on each side cannot tell a change of latency or counts from noise, so only verdicts decide: repeat the profile with --repeat and compare the sets.';

/**
 * Compares two sets of runs of one profile: verdicts, counts and latencies. Runs with different profiles, limits or
 * numbers of requests are not comparable; of runs that did not finish only failures are; latencies are comparable
 * only on the same machine and with the same version of k6. A figure is worse where a permutation test over all
 * figures says so with a chance of error of at most `FALSE_ALARM_RATE`, and the medians differ by more than the
 * tolerance. Of two single runs only verdicts decide. Pure.
 * @param first at least one run, as `second`.
 * @param tolerance how much worse a figure may be, as a share (0.1 is a tenth).
 */
export function compareLoads(
  first: readonly LoadRecord[],
  second: readonly LoadRecord[],
  tolerance: number,
): LoadComparison {
  const [base, ...others] = [...first, ...second];
  if (base === undefined) throw new RangeError('A comparison needs runs.');
  const setup = setupDifferences(base, others);
  const endings = [...unfinishedRuns('first', first), ...unfinishedRuns('second', second)];
  const environment = environmentDifferences(base, others);
  const isSingle = first.length === 1 && second.length === 1;
  const figures = figuresOf({ first, second, tolerance, setup, endings, environment });
  const has = (...changes: readonly FigureChange[]): boolean =>
    figures.some(({ change }) => changes.includes(change));
  const otherwise = has('inconclusive', 'undecided') ? 'inconclusive' : 'none';
  return {
    schemaVersion: 3,
    runs: [first.length, second.length],
    outcome: has('worse') ? 'regression' : otherwise,
    tolerance,
    falseAlarmRate: FALSE_ALARM_RATE,
    figures,
    remarks: [
      ...setup,
      ...endings,
      ...environment,
      ...otherDifferences(base, others),
      ...(isSingle ? [ALONE] : notInTurn(first, second)),
    ],
  };
}

/** Two sets, and what was found about their runs. */
interface Sets {
  readonly first: readonly LoadRecord[];
  readonly second: readonly LoadRecord[];
  readonly tolerance: number;
  readonly setup: readonly string[];
  readonly endings: readonly string[];
  readonly environment: readonly string[];
}

function figuresOf({
  first,
  second,
  tolerance,
  setup,
  endings,
  environment,
}: Sets): readonly ComparedFigure[] {
  const verdict = (because: string): ComparedFigure => ({
    figure: 'verdict',
    first: verdictText(first),
    second: verdictText(second),
    change: 'inconclusive',
    because,
  });
  if (setup.length > 0) return [verdict('the runs differ in profile, limits or requests')];
  const measures = [
    ...countMeasures(first, second, tolerance),
    ...(environment.length === 0 ? latencyMeasures(first, second, tolerance) : []),
  ];
  const failures = verdictMeasures(first, second);
  const { figures, worse } = judgedMeasures(measures, failures, first.length, second.length);
  const verdicts = comparedVerdicts(first, second, worse);
  // A failure counts even if the run then stopped early, perhaps because of a ban or an outage.
  if (endings.length > 0)
    return [verdict('a run did not finish'), ...verdicts.filter(({ change }) => change === 'worse')];
  return [...verdicts, ...figures, ...latencyTrouble(first, second, environment)];
}

/** Why latencies cannot be compared, as a figure; none where they can. */
function latencyTrouble(
  first: readonly LoadRecord[],
  second: readonly LoadRecord[],
  environment: readonly string[],
): readonly ComparedFigure[] {
  const text = (set: readonly LoadRecord[]): string =>
    set.map(({ latencyMs }) => (latencyMs === null ? 'none' : `${latencyMs.p50.toFixed(2)} ms`)).join(', ');
  const figure = (because: string): ComparedFigure => ({
    figure: 'latency p50',
    first: text(first),
    second: text(second),
    change: 'inconclusive',
    because,
  });
  if ([...first, ...second].some(({ latencyMs }) => latencyMs === null))
    return [figure('a run has no response')];
  return environment.length > 0 ? [figure('the runs used different machines or k6 versions')] : [];
}

const verdictText = (set: readonly LoadRecord[]): string =>
  [...new Set(set.map(({ verdict }) => verdict))].join(', ');
