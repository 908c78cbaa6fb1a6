import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { AlgorithmName } from '../../reference-server/index.ts';
import { algorithms } from '../../reference-server/index.ts';
import { besideABusyLoop } from './busy.ts';
import { repeat } from './repeat.ts';
import type { Measured } from './results.ts';
import { RESULTS, readMeasured } from './results.ts';
import { differences } from './vectors.ts';

// npm run determinism [-- --runs N] [--minute SECONDS] [--algorithm NAME] [--write]: examines the reference
// server so many times with every algorithm, two at a time, beside a process that keeps a core busy, and says
// how many vectors of verdicts came out; with --write it keeps the figures. Exit 1 where verdicts differed.

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    minute: { type: 'string', default: '4' },
    algorithm: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const AT_ONCE = 2;

async function measure(algorithm: AlgorithmName): Promise<Measured> {
  const [runs, minuteSeconds] = [Number(values.runs), Number(values.minute)];
  const { vectors, seconds } = await besideABusyLoop(() =>
    repeat({ algorithm, runs, atOnce: AT_ONCE, minuteSeconds }),
  );
  const [usual, ...others] = vectors;
  const [equal, outcome] = [usual?.runs ?? 0, usual?.record.outcome ?? 'nothing'];
  console.log(`${algorithm.padEnd(24)} ${equal} of ${runs} equal, ${outcome} (${seconds.toFixed(0)} s)`);
  for (const other of others) {
    for (const difference of usual === undefined
      ? []
      : differences(usual.record.requirements, other.record.requirements)) {
      console.log(`  ${other.runs} of ${runs}: ${difference}`);
    }
  }
  return { algorithm, runs, equal, outcome, minuteSeconds, seconds: Math.round(seconds) };
}

const measured: Measured[] = [];
for (const algorithm of algorithms) {
  if (values.algorithm === undefined || values.algorithm === algorithm)
    measured.push(await measure(algorithm));
}
const known = new Map(readMeasured().map((one) => [one.algorithm, one]));
for (const one of measured) known.set(one.algorithm, one);
if (values.write) writeFileSync(RESULTS, `${JSON.stringify([...known.values()], null, 2)}\n`);

const all = measured.reduce((sum, { runs }) => sum + runs, 0);
const others = measured.reduce((sum, { runs, equal }) => sum + runs - equal, 0);
console.log(
  others === 0
    ? `Every verdict of ${all} examinations stayed the same.`
    : `${others} of ${all} examinations came to other verdicts.`,
);
process.exitCode = all > 0 && others === 0 ? 0 : 1;
