import { groupedBy } from '../../kernel/exchanges/collections.ts';
import type { Outcome } from '../../kernel/findings/record.ts';
import { conduct, print } from '../study.ts';
import { withoutK6 } from '../testing/tools/k6.ts';
import { idsWith } from '../testing/verdicts.ts';
import { withBusyCore } from './busy-core.ts';
import type { Judged, Repeatable } from './subjects.ts';
import { subjects } from './subjects.ts';

/** How many repeated runs came to the same verdicts. */
export interface DeterminismResult {
  readonly runs: number;
  /** The size of the largest group of runs with the same verdicts. */
  readonly equal: number;
  readonly outcome: Outcome;
  /** The requirements that failed. */
  readonly failed: readonly string[];
  readonly minuteSeconds: number;
  /** How long all runs took. */
  readonly seconds: number;
}

const verdictsOf = ({ requirements }: Judged): readonly string[] =>
  requirements.map(({ id, verdict }) => `${id} ${verdict}`);

/** Prints how a run differs from the usual one, with both verdicts and the reason of the second. */
function printDifferences(usual: Judged, { requirements }: Judged, times: number): void {
  const expected = verdictsOf(usual);
  for (const [at, { id, verdict, because }] of requirements.entries())
    if (expected[at] !== `${id} ${verdict}`)
      print(`  ${times} times: ${expected[at]}, but ${verdict}: ${because}`);
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
    const started = performance.now();
    const records = await run(runs);
    const seconds = Math.round((performance.now() - started) / 1000);
    const groups = groupedBy(records, (one) => verdictsOf(one).join('\n'));
    const [[usual, equal] = [], ...others] = [...groups.values()]
      .sort((a, b) => b.length - a.length)
      .map((group) => [group[0], group.length] as const);
    if (usual === undefined) return undefined;
    for (const [one, times] of others) printDifferences(usual, one, times);
    const { outcome } = usual;
    return { runs, equal: equal ?? 0, outcome, failed: idsWith(usual, 'fail'), minuteSeconds, seconds };
  },
  summary: ({ runs, equal, outcome, failed, seconds }) =>
    `${equal} of ${runs} equal, ${[outcome, ...failed].join(' ')} (${seconds} s)`,
  wrong: ({ runs, equal, failed }, { fails }) => [
    ...(equal === runs ? [] : [`${runs - equal} of ${runs} runs came to other verdicts.`]),
    ...(`${failed}` === `${fails}` ? [] : [`It fails ${failed.join(' ') || 'nothing'}.`]),
  ],
});
