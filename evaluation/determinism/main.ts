import type { AlgorithmName } from '../../reference-server/limiters/index.ts';
import { algorithms } from '../../reference-server/limiters/index.ts';
import { conduct } from '../study.ts';
import { withBusyCore } from './busy.ts';
import type { DeterminismResult } from './repeat.ts';
import { repeatRuns } from './repeat.ts';
import { differencesIn } from './vectors.ts';

const PARALLEL_RUNS = 2;

await conduct<AlgorithmName, DeterminismResult, 'minute'>({
  name: 'determinism',
  folder: 'determinism',
  about: `Runs the suites so many times against the reference server with every algorithm, two runs at a time on a
machine with a busy core, and compares the verdicts. --minute is the length of the window in seconds.`,
  subjects: algorithms,
  nameOf: (algorithm) => algorithm,
  ...{ runs: 100, parallel: 1, options: { minute: '4' } },
  during: withBusyCore,
  measure: async (algorithm, { runs, options }) => {
    const minuteSeconds = Number(options.minute);
    const { groups, seconds } = await repeatRuns({
      ...{ algorithm, runs, minuteSeconds },
      parallelRuns: PARALLEL_RUNS,
    });
    for (const one of differencesIn(groups, ({ requirements }) => requirements)) console.log(one);
    const [largest] = groups;
    const [equal, outcome] = [largest?.runs ?? 0, largest?.record.outcome ?? 'no run'];
    return { runs, equal, outcome, minuteSeconds, seconds: Math.round(seconds) };
  },
  summary: ({ runs, equal, outcome, seconds }) => `${equal} of ${runs} equal, ${outcome} (${seconds} s)`,
  wrong: ({ runs, equal }) =>
    equal === runs ? [] : [`${runs - equal} of ${runs} runs came to other verdicts.`],
});
