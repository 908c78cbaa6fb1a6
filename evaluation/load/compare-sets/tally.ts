import type { LoadRecord } from '../../../kernel/findings/record.ts';
import { compareLoads } from '../../../load/compare/compare.ts';
import { seededBy } from '../../testing/suites/limiters.ts';
import type { Noise } from './simulated-sets.ts';
import { DEGRADATIONS, HEALTHY, NOISES, simulatedRuns } from './simulated-sets.ts';

/** The kinds of sets that are compared. */
export const COMPARED = ['real-equal', 'real-worse', 'simulated-equal', 'simulated-worse'] as const;
export type ComparedSets = (typeof COMPARED)[number];

/** How comparisons of two sets came out. */
interface Comparisons {
  /** What was compared, for the table. */
  readonly what: string;
  /** Runs in each set. */
  readonly runs: number;
  readonly comparisons: number;
  readonly regression: number;
  readonly undecided: number;
  readonly none: number;
}

/** What was measured of one kind of sets. */
export interface Compared {
  /** Of real sets: the load runs in all. */
  readonly runs?: number;
  readonly comparisons: readonly Comparisons[];
}

/** The tolerance of `compare` unless the user states another. */
const TOLERANCE = 0.1;

/** Two sets, the second perhaps worse. */
export type SetPair = readonly [first: readonly LoadRecord[], second: readonly LoadRecord[]];

/** How the comparisons of these pairs came out. */
export function tally(what: string, runs: number, pairs: Iterable<SetPair>): Comparisons {
  const counts = { worse: 0, undecided: 0, 'not worse': 0 };
  for (const [first, second] of pairs) counts[compareLoads(first, second, TOLERANCE).outcome] += 1;
  const { worse: regression, undecided, 'not worse': none } = counts;
  const comparisons = regression + undecided + none;
  return { what, runs, comparisons, regression, undecided, none };
}

/** Two sets whose runs were recorded in turn. */
export const inTurn = (all: readonly LoadRecord[]): SetPair => [
  all.filter((_, at) => at % 2 === 0),
  all.filter((_, at) => at % 2 === 1),
];

/** Two sets, the second recorded right after the first. */
export const oneAfterTheOther = (all: readonly LoadRecord[]): SetPair => [
  all.slice(0, all.length / 2),
  all.slice(all.length / 2),
];

/** Equal simulated sets, recorded in turn; on a machine whose load changes slowly also one after the other. */
export const simulatedEqual = (comparisons: number): readonly Comparisons[] => [
  ...Object.values(NOISES).map((noise) => simulated(noise.what, 6, comparisons, noise)),
  simulated(
    `${NOISES.drifting.what}, one set after the other`,
    6,
    comparisons,
    NOISES.drifting,
    HEALTHY,
    oneAfterTheOther,
  ),
];

/** Simulated sets whose second is worse: six runs on a calm machine, ten on a busy one. */
export const simulatedWorse = (comparisons: number): readonly Comparisons[] =>
  DEGRADATIONS.flatMap((worse) => [
    simulated(`${worse.what}, on ${NOISES.calm.what}`, 6, comparisons, NOISES.calm, worse),
    simulated(`${worse.what}, on ${NOISES.busy.what}`, 10, comparisons, NOISES.busy, worse),
  ]);

/** @param runs in each set. @param second what every second run suffers. */
function simulated(
  what: string,
  runs: number,
  comparisons: number,
  noise: Noise,
  second = HEALTHY,
  pairOf = inTurn,
): Comparisons {
  const random = seededBy(what);
  const degradations = Array.from({ length: 2 * runs }, (_, at) => (at % 2 === 0 ? HEALTHY : second));
  const pairs = Array.from({ length: comparisons }, () => pairOf(simulatedRuns(noise, random, degradations)));
  return tally(what, runs, pairs);
}
