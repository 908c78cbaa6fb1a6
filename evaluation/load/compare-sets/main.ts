import { writeFileSync } from 'node:fs';
import { FALSE_ALARM_RATE } from '../../../load/compare/repetitions.ts';
import { commandOptions } from '../../command-options.ts';
import { withoutK6 } from '../../testing/tools/k6.ts';
import { COMPARE_PAGE, renderCompare } from './page.ts';
import { consecutivePairs, pairsInTurn, REAL_DEGRADATIONS, realRuns } from './real-sets.ts';
import type { CompareResults, Comparisons } from './results.ts';
import { COMPARE_RESULTS_FILE } from './results.ts';
import { simulatedEqual, simulatedWorse, tally } from './tally.ts';

const USAGE = `npm run evaluate -- compare-sets [--simulated N --real N --degraded N --write]

Compares simulated and real sets of load runs as "load compare" does, and counts how
often equal sets are reported as a regression and worse ones are not. --simulated is the
number of comparisons of each kind, --real the number of k6 runs against one unchanged
server on a machine with a busy core, --degraded the number of runs in turn with each degraded one.
--write stores the results and the page. The exit code is 1 where independent equal sets
are reported more often than stated.`;

const values = commandOptions(USAGE, {
  simulated: { type: 'string', default: '1000' },
  real: { type: 'string', default: '48' },
  degraded: { type: 'string', default: '24' },
  write: { type: 'boolean', default: false },
});
if (withoutK6 !== false) {
  console.error(withoutK6);
  process.exit(2);
}

const RUNS = 6;

const equal = await realRuns(Number(values.real));
const realWorse: Comparisons[] = [];
for (const [what, fault] of REAL_DEGRADATIONS)
  realWorse.push(tally(what, RUNS, pairsInTurn(await realRuns(Number(values.degraded), fault), RUNS)));
const results: CompareResults = {
  simulatedEqual: simulatedEqual(Number(values.simulated)),
  simulatedWorse: simulatedWorse(Math.ceil(Number(values.simulated) / 10)),
  realEqual: [
    tally('one set after the other', RUNS, consecutivePairs(equal, RUNS)),
    tally('runs in turn', RUNS, pairsInTurn(equal, RUNS)),
  ],
  realWorse,
  realRuns: { equal: equal.length, degraded: Number(values.degraded) * REAL_DEGRADATIONS.length },
};
for (const part of [results.realEqual, results.realWorse, results.simulatedEqual, results.simulatedWorse])
  for (const { what, runs, comparisons, regression, undecided, none } of part)
    console.log(
      `${what.padEnd(60)} ${runs} runs: ${regression} of ${comparisons} regression, ${undecided} undecided, ${none} none`,
    );
if (values.write) {
  writeFileSync(COMPARE_RESULTS_FILE, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(COMPARE_PAGE, renderCompare(results));
}
process.exitCode = results.simulatedEqual.every(
  ({ regression, comparisons }) => regression <= FALSE_ALARM_RATE * comparisons,
)
  ? 0
  : 1;
