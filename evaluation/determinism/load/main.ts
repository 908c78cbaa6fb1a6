import { PROFILE_IDS } from '../../../load/model/profile.ts';
import { conduct } from '../../study.ts';
import { VERDICTS } from '../../testing/reports/load-runs.ts';
import { withoutK6 } from '../../testing/tools/k6.ts';
import { withBusyCore } from '../busy.ts';
import { differencesIn } from '../vectors.ts';
import type { LoadDeterminismResult } from './repeat-load.ts';
import { FAULT_OF_PROFILE, limitsFor, repeatLoad } from './repeat-load.ts';

const PARALLEL_RUNS = 2;

await conduct<Pick<LoadDeterminismResult, 'profile' | 'fault'>, LoadDeterminismResult>({
  name: 'determinism-load',
  folder: 'determinism/load',
  about: `Runs every load profile with k6 so many times against the conforming reference server, and against one with a
fault that the profile must find, two runs at a time on a machine with a busy core, and compares the verdicts.`,
  subjects: PROFILE_IDS.flatMap((profile) => [
    { profile, fault: null },
    { profile, fault: FAULT_OF_PROFILE[profile] },
  ]),
  nameOf: ({ profile, fault }) => `${profile} ${fault ?? 'conforms'}`,
  ...{ runs: 10, parallel: 1 },
  impossible: withoutK6,
  during: withBusyCore,
  measure: async ({ profile, fault }, { runs }) => {
    const { groups, seconds } = await repeatLoad({
      ...{ profile, runs, fault: fault ?? undefined },
      parallelRuns: PARALLEL_RUNS,
    });
    for (const one of differencesIn(groups, ({ requirements }) => requirements)) console.log(one);
    const [largest] = groups;
    const failed = (largest?.record.requirements ?? []).filter((one) => one.verdict === 'fail');
    return {
      ...{ profile, fault, runs },
      equal: largest?.runs ?? 0,
      verdict: largest === undefined ? 'no run' : VERDICTS[largest.record.outcome],
      failed: failed.map(({ id }) => id),
      minuteSeconds: limitsFor(profile).minuteSeconds,
      seconds: Math.round(seconds),
    };
  },
  summary: ({ runs, equal, verdict, failed, seconds }) =>
    `${equal} of ${runs} equal, ${verdict} ${failed.join(' ')} (${seconds} s)`,
  wrong: ({ fault, runs, equal, verdict }) => [
    ...(equal === runs ? [] : [`${runs - equal} of ${runs} runs came to other verdicts.`]),
    ...(verdict === (fault === null ? 'pass' : 'fail') ? [] : [`The verdict is ${verdict}.`]),
  ],
});
