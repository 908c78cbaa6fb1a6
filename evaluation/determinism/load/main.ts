import { writeFileSync } from 'node:fs';
import type { ProfileId } from '../../../load/model/profile.ts';
import { PROFILE_IDS } from '../../../load/model/profile.ts';
import { commandOptions } from '../../command-options.ts';
import { withoutK6 } from '../../testing/tools/k6.ts';
import { withBusyCore } from '../busy.ts';
import { verdictDifferences } from '../vectors.ts';
import { FAULT_OF_PROFILE, limitsFor, repeatLoad } from './repeat-load.ts';
import type { LoadDeterminismResult } from './results.ts';
import { LOAD_DETERMINISM_FILE, readLoadDeterminism } from './results.ts';

const USAGE = `npm run evaluate -- determinism-load [--runs N] [--profile NAME] [--write]

Runs every load profile with k6 N times against the conforming reference server,
and N times with a fault that the profile must find, two runs at a time on a
machine with a busy core, and compares the verdicts. --write stores the results.
The exit code is 1 if verdicts differ or are not the expected ones.`;

const values = commandOptions(USAGE, {
  runs: { type: 'string', default: '10' },
  profile: { type: 'string' },
  write: { type: 'boolean', default: false },
});
const PARALLEL_RUNS = 2;

if (withoutK6 !== false) {
  console.error(withoutK6);
  process.exit(2);
}

async function measure(profile: ProfileId, fault: string | undefined): Promise<LoadDeterminismResult> {
  const runs = Number(values.runs);
  const { groups, seconds } = await withBusyCore(() =>
    repeatLoad({ profile, fault, runs, parallelRuns: PARALLEL_RUNS }),
  );
  const [largest, ...others] = groups;
  const [equal, verdict] = [largest?.runs ?? 0, largest?.record.verdict ?? 'no run'];
  const failed = (largest?.record.findings ?? []).filter((one) => one.verdict === 'fail').map(({ id }) => id);
  const against = fault ?? 'a conforming server';
  console.log(
    `${profile.padEnd(11)} ${against.padEnd(30)} ${equal} of ${runs} equal, ${verdict} ${failed.join(' ')} (${seconds.toFixed(0)} s)`,
  );
  for (const other of others) {
    for (const difference of largest === undefined
      ? []
      : verdictDifferences(largest.record.findings, other.record.findings)) {
      console.log(`  ${other.runs} of ${runs}: ${difference}`);
    }
  }
  const { minuteSeconds } = limitsFor(profile);
  return {
    profile,
    fault: fault ?? null,
    runs,
    equal,
    verdict,
    failed,
    minuteSeconds,
    seconds: Math.round(seconds),
  };
}

const measured: LoadDeterminismResult[] = [];
for (const profile of PROFILE_IDS) {
  if (values.profile !== undefined && values.profile !== profile) continue;
  for (const fault of [undefined, FAULT_OF_PROFILE[profile]]) measured.push(await measure(profile, fault));
}
if (values.write) {
  const known = new Map(
    [...readLoadDeterminism(), ...measured].map((one) => [`${one.profile} ${one.fault}`, one]),
  );
  writeFileSync(LOAD_DETERMINISM_FILE, `${JSON.stringify([...known.values()], null, 2)}\n`);
}

const all = measured.reduce((sum, { runs }) => sum + runs, 0);
const right = measured.filter(({ fault, verdict }) => verdict === (fault === null ? 'pass' : 'fail'));
const equal = right.reduce((sum, one) => sum + one.equal, 0);
console.log(
  equal === all
    ? `All ${all} load runs came to the expected verdicts.`
    : `${all - equal} of ${all} load runs came to other verdicts.`,
);
process.exitCode = all > 0 && equal === all ? 0 : 1;
