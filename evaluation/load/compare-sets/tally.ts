import type { LoadRecord } from '../../../kernel/findings/record.ts';
import { compareLoads } from '../../../load/compare/compare.ts';
import { seededBy } from '../../testing/suites/limiters.ts';
import type { Noise } from './simulated-sets.ts';
import { DEGRADATIONS, NOISES, SimulatedMachine } from './simulated-sets.ts';

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

/** Equal simulated sets, recorded in turn; on a machine whose load changes slowly also one after the other. */
export const simulatedEqual = (comparisons: number): readonly Comparisons[] => [
  ...Object.values(NOISES).map((noise) =>
    simulated(noise.what, 6, comparisons, noise, (machine) => machine.inTurn(6)),
  ),
  simulated(`${NOISES.drifting.what}, one set after the other`, 6, comparisons, NOISES.drifting, (machine) =>
    machine.oneAfterTheOther(6),
  ),
];

/** Simulated sets whose second is worse: six runs on a calm machine, ten on a busy one. */
export const simulatedWorse = (comparisons: number): readonly Comparisons[] =>
  DEGRADATIONS.flatMap((worse) =>
    (
      [
        [6, NOISES.calm],
        [10, NOISES.busy],
      ] as const
    ).map(([runs, noise]) =>
      simulated(`${worse.what}, on ${noise.what}`, runs, comparisons, noise, (machine) =>
        machine.inTurn(runs, worse),
      ),
    ),
  );

function simulated(
  what: string,
  runs: number,
  comparisons: number,
  noise: Noise,
  pairOf: (machine: SimulatedMachine) => SetPair,
): Comparisons {
  const random = seededBy(what);
  const pairs = Array.from({ length: comparisons }, () => pairOf(new SimulatedMachine(noise, random)));
  return tally(what, runs, pairs);
}
