import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ProfileId } from '../../../load/model/profile.ts';
import { PROFILE_IDS } from '../../../load/model/profile.ts';
import { withoutK6 } from '../../testing/tools/k6.ts';
import { besideABusyLoop } from '../busy.ts';
import { differences } from '../vectors.ts';
import { FAULTS, limitsFor, repeatLoad } from './repeat-load.ts';
import type { LoadMeasured } from './results.ts';
import { LOAD_RESULTS, readLoadMeasured } from './results.ts';

// npm run determinism:load [-- --runs N] [--profile NAME] [--write]: runs every load profile with k6 so many
// times against the reference server, and against one of the faults that it must find, two runs at a time,
// beside a process that keeps a core busy, and says how many vectors of verdicts came out; with --write it
// keeps the figures. Exit 1 where verdicts differed or were not those that belong there.

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10' },
    profile: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const AT_ONCE = 2;

if (withoutK6 !== false) throw new Error(withoutK6);

async function measure(profile: ProfileId, fault: string | undefined): Promise<LoadMeasured> {
  const runs = Number(values.runs);
  const { vectors, seconds } = await besideABusyLoop(() =>
    repeatLoad({ profile, fault, runs, atOnce: AT_ONCE }),
  );
  const [usual, ...others] = vectors;
  const [equal, verdict] = [usual?.runs ?? 0, usual?.record.verdict ?? 'nothing'];
  const failed = (usual?.record.findings ?? []).filter((one) => one.verdict === 'fail').map(({ id }) => id);
  const against = fault ?? 'a server that conforms';
  console.log(
    `${profile.padEnd(11)} ${against.padEnd(30)} ${equal} of ${runs} equal, ${verdict} ${failed.join(' ')} (${seconds.toFixed(0)} s)`,
  );
  for (const other of others) {
    for (const difference of usual === undefined
      ? []
      : differences(usual.record.findings, other.record.findings)) {
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

const measured: LoadMeasured[] = [];
for (const profile of PROFILE_IDS) {
  if (values.profile !== undefined && values.profile !== profile) continue;
  for (const fault of [undefined, FAULTS[profile]]) measured.push(await measure(profile, fault));
}
if (values.write) {
  const known = new Map(
    [...readLoadMeasured(), ...measured].map((one) => [`${one.profile} ${one.fault}`, one]),
  );
  writeFileSync(LOAD_RESULTS, `${JSON.stringify([...known.values()], null, 2)}\n`);
}

const all = measured.reduce((sum, { runs }) => sum + runs, 0);
const right = measured.filter(({ fault, verdict }) => verdict === (fault === null ? 'pass' : 'fail'));
const equal = right.reduce((sum, one) => sum + one.equal, 0);
console.log(
  equal === all
    ? `Every verdict of ${all} load runs was the one that belongs there.`
    : `${all - equal} of ${all} load runs came to other verdicts.`,
);
process.exitCode = all > 0 && equal === all ? 0 : 1;
