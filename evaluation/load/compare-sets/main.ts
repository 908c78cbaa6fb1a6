import type { LoadRecord } from '../../../kernel/findings/record.ts';
import { FALSE_ALARM_RATE } from '../../../load/compare/repetitions.ts';
import type { Seams } from '../../../reference-server/seams.ts';
import { withBusyCore } from '../../determinism/busy-core.ts';
import { conduct } from '../../study.ts';
import { withoutK6 } from '../../testing/tools/k6.ts';
import { delayed } from '../degradations.ts';
import { briefLimits, loadOnce } from '../real-load.ts';
import type { Compared, ComparedSets, SetPair } from './tally.ts';
import { COMPARED, inTurn, oneAfterTheOther, simulatedEqual, simulatedWorse, tally } from './tally.ts';

/** Enough requests for all percentiles, in about two seconds. */
const LIMITS = { ...briefLimits, perMinute: 60, perDay: 100_000 };

/** Runs of `under` with k6, one after another, on a machine with a busy core; every second one against a server with this fault. */
async function realRuns(runs: number, fault?: Seams): Promise<readonly LoadRecord[]> {
  return withBusyCore(async () => {
    const records: LoadRecord[] = [];
    for (let run = 0; run < runs; run += 1) {
      const degraded = run % 2 === 0 || fault === undefined ? {} : { fault };
      records.push(await loadOnce({ profile: 'under', limits: LIMITS, ...degraded }));
    }
    return records;
  });
}

/** How the server is degraded. */
const REAL_DEGRADATIONS: readonly (readonly [what: string, fault: Seams])[] = [
  ['each response 10 ms later', slower(() => 10)],
  ['1 of 10 responses 150 ms later', slower((n) => (n % 10 === 0 ? 150 : 0))],
  ['half of the limit enforced', halved()],
];

function slower(delayOf: (n: number) => number): Seams {
  let n = 0;
  return {
    wrapService: (answer) => (request) => {
      n += 1;
      return delayed(answer(request), delayOf(n));
    },
  };
}

function halved(): Seams {
  return {
    wrapLimiter: (limiter) => (caller, request, now) => {
      const decision = limiter(caller, request, now);
      return decision.remaining < decision.limit / 2 && caller.authenticated
        ? { ...decision, allowed: false, retryAt: now + 500 }
        : decision;
    },
  };
}

/** So many runs after each other, from every run on. */
const windowsOf = (records: readonly LoadRecord[], length: number): readonly (readonly LoadRecord[])[] =>
  Array.from({ length: Math.max(0, records.length - length + 1) }, (_, from) =>
    records.slice(from, from + length),
  );

/** Sets of runs in turn, starting at every second run. */
const pairsInTurn = (records: readonly LoadRecord[]): readonly SetPair[] =>
  windowsOf(records, 2 * RUNS)
    .filter((_, from) => from % 2 === 0)
    .map(inTurn);

const RUNS = 6;

async function realEqual(runs: number): Promise<Compared> {
  const equal = await realRuns(runs);
  const comparisons = [
    tally('one set after the other', RUNS, windowsOf(equal, 2 * RUNS).map(oneAfterTheOther)),
    tally('runs in turn', RUNS, pairsInTurn(equal)),
  ];
  return { runs, comparisons };
}

async function realWorse(runs: number): Promise<Compared> {
  const comparisons: Compared['comparisons'][number][] = [];
  for (const [what, fault] of REAL_DEGRADATIONS)
    comparisons.push(tally(what, RUNS, pairsInTurn(await realRuns(runs, fault))));
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
