import { FALSE_ALARM_RATE } from '../../../load/compare/repetitions.ts';
import { conduct } from '../../study.ts';
import { withoutK6 } from '../../testing/tools/k6.ts';
import { COMPARE_PAGE, renderCompare } from './page.ts';
import { consecutivePairs, pairsInTurn, REAL_DEGRADATIONS, realRuns } from './real-sets.ts';
import type { Compared, ComparedSets } from './tally.ts';
import { COMPARED, simulatedEqual, simulatedWorse, tally } from './tally.ts';

const RUNS = 6;

async function realEqual(runs: number): Promise<Compared> {
  const equal = await realRuns(runs);
  const comparisons = [
    tally('one set after the other', RUNS, consecutivePairs(equal, RUNS)),
    tally('runs in turn', RUNS, pairsInTurn(equal, RUNS)),
  ];
  return { runs, comparisons };
}

async function realWorse(runs: number): Promise<Compared> {
  const comparisons: Compared['comparisons'][number][] = [];
  for (const [what, fault] of REAL_DEGRADATIONS)
    comparisons.push(tally(what, RUNS, pairsInTurn(await realRuns(runs, fault), RUNS)));
  return { runs: runs * REAL_DEGRADATIONS.length, comparisons };
}

await conduct<ComparedSets, Compared, 'real' | 'degraded'>({
  name: 'compare-sets',
  folder: 'load/compare-sets',
  about: `Compares simulated and real sets of load runs as "compare" does, and counts how often equal sets are reported
as a regression and worse ones are not. --runs is the number of comparisons of each kind of simulated sets, --real the
number of k6 runs against one unchanged server on a machine with a busy core, --degraded that of runs in turn with each
degraded one. Independent equal sets may be reported no more often than stated.`,
  subjects: COMPARED,
  nameOf: (name) => name,
  ...{ runs: 1000, parallel: 1, options: { real: '48', degraded: '24' } },
  impossible: withoutK6,
  page: { file: COMPARE_PAGE, render: renderCompare },
  measure: async (sets, { runs, options }) => {
    switch (sets) {
      case 'real-equal':
        return realEqual(Number(options.real));
      case 'real-worse':
        return realWorse(Number(options.degraded));
      case 'simulated-equal':
        return { comparisons: simulatedEqual(runs) };
      case 'simulated-worse':
        return { comparisons: simulatedWorse(Math.ceil(runs / 10)) };
    }
  },
  summary: ({ comparisons }) =>
    comparisons
      .map(
        ({ what, runs, comparisons: all, regression, undecided, none }) =>
          `\n  ${what.padEnd(60)} ${runs} runs: ${regression} of ${all} regression, ${undecided} undecided, ${none} none`,
      )
      .join(''),
  wrong: ({ comparisons }, sets) =>
    sets === 'simulated-equal'
      ? comparisons
          .filter(({ regression, comparisons: all }) => regression > FALSE_ALARM_RATE * all)
          .map(({ what }) => `Equal sets on ${what} are reported more often than stated.`)
      : [],
});
