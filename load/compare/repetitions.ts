import type { LoadRecord } from '../../kernel/findings/record.ts';
import { standardQuantile } from '../judging/rank-test.ts';
import { waysToChoose } from './permutation-test.ts';

export interface Sets {
  readonly first: readonly LoadRecord[];
  readonly second: readonly LoadRecord[];
  /** How much worse a figure may be in the second set, as a share of its value in the first. */
  readonly tolerance: number;
}

/** How often the rank test over all figures may find two sets of equal runs different, at the most. */
export const RANKS_ALARM_RATE = 0.008;

/** The same of the test of the shape. */
export const SHAPE_ALARM_RATE = 0.002;

/** How often the comparison of two sets of equal runs may report a regression, at the most. */
export const FALSE_ALARM_RATE = RANKS_ALARM_RATE + SHAPE_ALARM_RATE;

/** More repetitions than this are not worth proposing. */
const MOST_PROPOSED = 200;

/**
 * How many runs each set needs at the least, so that a set that is worse in every run is certain to be found.
 * @param measures how many measures vary at all.
 */
export function leastRuns(measures: number): number {
  let runs = 1;
  while (Math.max(1, measures) / waysToChoose(2 * runs, runs) > RANKS_ALARM_RATE) runs += 1;
  return runs;
}

/**
 * About how many runs each set needs to decide about a difference like the one seen, by the normal approximation of
 * the rank-sum test; undefined where that is too many to be of use.
 * @param share of the pairs of a first and a second run in which the second is worse, 0 to 1.
 */
export function runsToDecide(share: number, measures: number): number | undefined {
  const distance = share - 1 / 2;
  if (distance <= 0) return undefined;
  const needed = standardQuantile(1 - RANKS_ALARM_RATE / Math.max(1, measures)) ** 2 / (6 * distance ** 2);
  const runs = Math.max(leastRuns(measures), Math.ceil(needed));
  return runs <= MOST_PROPOSED ? runs : undefined;
}

/** The share of pairs in which the second is higher; a tie is half a pair. */
export function shareOfHigher(first: readonly number[], second: readonly number[]): number {
  let higher = 0;
  for (const a of first) for (const b of second) higher += (Math.sign(b - a) + 1) / 2;
  return higher / (first.length * second.length);
}

/** The percentiles of latency that a comparison has at the most; counts do not vary where all is well. */
export const LATENCY_FIGURES = 3;

/** The share of comparisons in which a change of the size of `foundEffect` is found. */
const POWER = 0.8;

/**
 * The change of a latency that two sets of so many runs show in 8 of 10 comparisons, in standard deviations from run
 * to run: by the normal approximation of the rank-sum test. Undefined where no change is certain to be found.
 */
export function foundEffect(runs: number): number | undefined {
  if (runs < leastRuns(LATENCY_FIGURES)) return undefined;
  const [certain, seen] = [1 - RANKS_ALARM_RATE / LATENCY_FIGURES, POWER].map(standardQuantile);
  return ((certain ?? 0) + (seen ?? 0)) * Math.sqrt(2 / runs);
}

// What makes runs incomparable, or differs between them without a figure that shows it. One sentence each.

type Field = readonly [what: string, of: (record: LoadRecord) => string];

/** What makes runs incomparable where it differs. */
export const SETUP: readonly Field[] = [
  ['The profiles differ', ({ profile }) => profile],
  [
    'The limits differ',
    ({ limits: { perMinute, minuteSeconds, perDay, daySeconds } }) =>
      `${perMinute} in ${minuteSeconds} s and ${perDay} in ${daySeconds} s`,
  ],
  [
    'The planned requests differ',
    ({ keys }) => keys.map(({ key, planned }) => `${key} ${planned}`).join(', '),
  ],
];

/** What makes latencies incomparable. */
export const ENVIRONMENT: readonly Field[] = [
  ['The k6 differs', ({ environment }) => environment.k6],
  ['The platform differs', ({ environment }) => environment.platform],
  ['The number of CPUs differs', ({ environment }) => String(environment.cpus)],
];

export const OTHERWISE: readonly Field[] = [
  ['The targets differ', ({ target }) => target.baseUrl],
  ['The plans have different names', ({ target }) => target.plan],
  ['The suite versions differ', ({ suite }) => suite.version],
];

/** What differs from the first run, one sentence each. */
export const differences = (
  first: LoadRecord,
  others: readonly LoadRecord[],
  fields: readonly Field[],
): readonly string[] =>
  fields.flatMap(([what, of]) => {
    const other = others.find((one) => of(one) !== of(first));
    return other === undefined ? [] : [`${what}: ${of(first)} and ${of(other)}.`];
  });

export const unfinishedRuns = (which: string, set: readonly LoadRecord[]): readonly string[] =>
  set.flatMap(({ ended }, i) => {
    const name = set.length === 1 ? `The ${which} run` : `Run ${i + 1} of the ${which} set`;
    return ended.how === 'finished' ? [] : [`${name} did not finish: ${ended.because}`];
  });

/**
 * Whether the runs of both sets were recorded in turn: of each two in the order of time, one belongs to each set. A
 * machine whose load changes meanwhile then disturbs both alike.
 */
export function areInTurn({ first, second }: Sets): boolean {
  const sets = [...first.map((run) => ({ run, step: 1 })), ...second.map((run) => ({ run, step: -1 }))].sort(
    (a, b) => Date.parse(a.run.startedAt) - Date.parse(b.run.startedAt),
  );
  let ahead = 0;
  return sets.every(({ step }, i) => {
    ahead += step;
    return i % 2 === 0 || ahead === 0;
  });
}
