import { writeFileSync } from 'node:fs';
import type { AlgorithmName } from '../../reference-server/limiters/index.ts';
import { algorithms } from '../../reference-server/limiters/index.ts';
import { commandOptions } from '../command-options.ts';
import { withBusyCore } from './busy.ts';
import { repeatRuns } from './repeat.ts';
import type { DeterminismResult } from './results.ts';
import { DETERMINISM_FILE, readDeterminism } from './results.ts';
import { verdictDifferences } from './vectors.ts';

const USAGE = `npm run evaluate -- determinism [--runs N] [--minute SECONDS] [--algorithm NAME] [--write]

Runs the suites N times against the reference server with every algorithm, two
runs at a time on a machine with a busy core, and compares the verdicts. --write
stores the results. The exit code is 1 if verdicts differ.`;

const values = commandOptions(USAGE, {
  runs: { type: 'string', default: '100' },
  minute: { type: 'string', default: '4' },
  algorithm: { type: 'string' },
  write: { type: 'boolean', default: false },
});
const PARALLEL_RUNS = 2;

async function measure(algorithm: AlgorithmName): Promise<DeterminismResult> {
  const [runs, minuteSeconds] = [Number(values.runs), Number(values.minute)];
  const { groups, seconds } = await withBusyCore(() =>
    repeatRuns({ algorithm, runs, parallelRuns: PARALLEL_RUNS, minuteSeconds }),
  );
  const [largest, ...others] = groups;
  const [equal, outcome] = [largest?.runs ?? 0, largest?.record.outcome ?? 'no run'];
  console.log(`${algorithm.padEnd(24)} ${equal} of ${runs} equal, ${outcome} (${seconds.toFixed(0)} s)`);
  for (const other of others) {
    for (const difference of largest === undefined
      ? []
      : verdictDifferences(largest.record.requirements, other.record.requirements)) {
      console.log(`  ${other.runs} of ${runs}: ${difference}`);
    }
  }
  return { algorithm, runs, equal, outcome, minuteSeconds, seconds: Math.round(seconds) };
}

const measured: DeterminismResult[] = [];
for (const algorithm of algorithms) {
  if (values.algorithm === undefined || values.algorithm === algorithm)
    measured.push(await measure(algorithm));
}
const known = new Map(readDeterminism().map((one) => [one.algorithm, one]));
for (const one of measured) known.set(one.algorithm, one);
if (values.write) writeFileSync(DETERMINISM_FILE, `${JSON.stringify([...known.values()], null, 2)}\n`);

const all = measured.reduce((sum, { runs }) => sum + runs, 0);
const others = measured.reduce((sum, { runs, equal }) => sum + runs - equal, 0);
console.log(
  others === 0
    ? `All ${all} runs came to the same verdicts.`
    : `${others} of ${all} runs came to other verdicts.`,
);
process.exitCode = all > 0 && others === 0 ? 0 : 1;
