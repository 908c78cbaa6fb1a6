import { algorithms } from '../../reference-server/index.ts';
import { besideABusyLoop } from './busy.ts';
import { differences, repeat } from './repeat.ts';

// npm run determinism [-- RUNS [MINUTE_SECONDS]]: examines the reference server so many times with every
// algorithm, two at a time, beside a process that keeps a core busy, and says how many vectors of verdicts
// came out. Exit 1 where there was more than one.

const [runs = 100, minuteSeconds = 4] = process.argv.slice(2).map(Number);
const AT_ONCE = 2;

let flips = 0;
for (const algorithm of algorithms) {
  const { vectors, seconds } = await besideABusyLoop(() =>
    repeat({ algorithm, runs, atOnce: AT_ONCE, minuteSeconds }),
  );
  const [usual] = vectors;
  console.log(
    `${algorithm.padEnd(24)} ${usual?.runs ?? 0} of ${runs} equal, ${usual?.record.outcome ?? 'nothing'} (${seconds.toFixed(0)} s)`,
  );
  for (const other of vectors.slice(1)) {
    flips += other.runs;
    for (const difference of usual === undefined ? [] : differences(usual.record, other.record)) {
      console.log(`  ${other.runs} of ${runs}: ${difference}`);
    }
  }
}
console.log(
  flips === 0
    ? `Every verdict of ${runs * algorithms.length} examinations stayed the same.`
    : `${flips} of ${runs * algorithms.length} examinations came to other verdicts.`,
);
process.exitCode = flips === 0 ? 0 : 1;
