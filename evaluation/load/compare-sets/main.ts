import type { LoadRecord } from '../../../kernel/findings/record.ts';
import { FALSE_ALARM_RATE } from '../../../load/compare/repetitions.ts';
import { withBusyCore } from '../../determinism/busy-core.ts';
import { conduct } from '../../study.ts';
import { withoutK6 } from '../../testing/tools/k6.ts';
import { briefLimits, loadOnce } from '../real-load.ts';
import type { Compared, ComparedSets } from './tally.ts';
import { COMPARED, inTurn, oneAfterTheOther, simulatedEqual, simulatedWorse, tally } from './tally.ts';

/** Enough requests for all percentiles, in about two seconds. */
const LIMITS = { ...briefLimits, perMinute: 60, perDay: 100_000 };

/** Runs of `under` with k6, one after another, on a machine with a busy core. */
const realRuns = (runs: number): Promise<readonly LoadRecord[]> =>
  withBusyCore(async () => {
    const records: LoadRecord[] = [];
    for (let run = 0; run < runs; run += 1)
      records.push(await loadOnce({ profile: 'under', limits: LIMITS }));
    return records;
  });

/** So many runs after each other, from every run on. */
const windowsOf = (records: readonly LoadRecord[], length: number): readonly (readonly LoadRecord[])[] =>
  Array.from({ length: Math.max(0, records.length - length + 1) }, (_, from) =>
    records.slice(from, from + length),
  );

const RUNS = 6;

async function realEqual(runs: number): Promise<Compared> {
  const windows = windowsOf(await realRuns(runs), 2 * RUNS);
  const everySecond = windows.filter((_, from) => from % 2 === 0);
  return [
    tally('one set after the other', RUNS, windows.map(oneAfterTheOther)),
    tally('runs in turn', RUNS, everySecond.map(inTurn)),
  ];
}

await conduct<ComparedSets, Compared, 'real'>({
  name: 'compare-sets',
  folder: 'load/compare-sets',
  about: `Compares simulated and real sets of load runs as "compare" does, and counts how often equal sets are reported
as a regression and worse ones are not. --runs is the number of comparisons of each kind of simulated sets, --real the
number of k6 runs against one unchanged server on a machine with a busy core. Independent equal sets may be reported no
more often than stated.`,
  subjects: COMPARED,
  nameOf: (name) => name,
  ...{ runs: 1000, parallel: 1, options: { real: '48' } },
  impossible: withoutK6,
  measure: async (sets, { runs, options }) => {
    switch (sets) {
      case 'real-equal':
        return realEqual(Number(options.real));
      case 'simulated-equal':
        return simulatedEqual(runs);
      case 'simulated-worse':
        return simulatedWorse(Math.ceil(runs / 10));
    }
  },
  summary: (compared) =>
    compared
      .map(
        ({ what, runs, comparisons: all, regression, undecided, none }) =>
          `\n  ${what.padEnd(60)} ${runs} runs: ${regression} of ${all} regression, ${undecided} undecided, ${none} none`,
      )
      .join(''),
  wrong: (compared, sets) =>
    sets === 'simulated-equal'
      ? compared
          .filter(({ regression, comparisons: all }) => regression > FALSE_ALARM_RATE * all)
          .map(({ what }) => `Equal sets on ${what} are reported more often than stated.`)
      : [],
});
