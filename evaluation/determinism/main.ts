import type { Outcome } from '../../kernel/findings/record.ts';
import { conduct } from '../study.ts';
import { withoutK6 } from '../testing/tools/k6.ts';
import { idsWith } from '../testing/verdicts.ts';
import { differencesIn, withBusyCore } from './repeat.ts';
import type { Repeatable } from './subjects.ts';
import { subjects } from './subjects.ts';

/** How many repeated runs came to the same verdicts. */
export interface DeterminismResult {
  readonly runs: number;
  /** The size of the largest group of runs with the same verdicts. */
  readonly equal: number;
  readonly outcome: Outcome | 'no run';
  /** The requirements that failed. */
  readonly failed: readonly string[];
  readonly minuteSeconds: number;
  /** How long all runs took. */
  readonly seconds: number;
}

await conduct<Repeatable, DeterminismResult>({
  name: 'determinism',
  folder: 'determinism',
  about: `Runs every load profile with k6 so many times, against the conforming reference server and against one with a
fault that the profile must find, and the suites ten times as often against the server with every algorithm: two runs at
a time, on a machine with a busy core. Compares the verdicts.`,
  subjects,
  nameOf: ({ name }) => name,
  ...{ runs: 10, parallel: 1 },
  during: withBusyCore,
  measure: async ({ kind, times, minuteSeconds, run }, given) => {
    if (kind === 'load' && withoutK6 !== false) return void console.log(withoutK6);
    const runs = given.runs * times;
    const { groups, seconds } = await run(runs);
    for (const one of differencesIn(groups)) console.log(`  ${one}`);
    const [largest] = groups;
    return {
      ...{ runs, equal: largest?.runs ?? 0, outcome: largest?.record.outcome ?? 'no run' },
      failed: largest === undefined ? [] : idsWith(largest.record, 'fail'),
      ...{ minuteSeconds, seconds: Math.round(seconds) },
    };
  },
  summary: ({ runs, equal, outcome, failed, seconds }) =>
    `${equal} of ${runs} equal, ${[outcome, ...failed].join(' ')} (${seconds} s)`,
  wrong: ({ runs, equal, failed }, { fails }) => [
    ...(equal === runs ? [] : [`${runs - equal} of ${runs} runs came to other verdicts.`]),
    ...(`${failed}` === `${fails}` ? [] : [`It fails ${failed.join(' ') || 'nothing'}.`]),
  ],
});
