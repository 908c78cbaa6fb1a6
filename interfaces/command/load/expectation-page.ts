import type { Expectation } from '../../../load/judging/expectation.ts';
import { expectations } from '../../../load/judging/expectations/index.ts';
import type { Profile } from '../../../load/model/profile.ts';
import { profiles } from '../../../load/profiles/index.ts';
import type { Page } from '../../handbook/page.ts';

type Id = Profile['expects'][number];

/** The ids of the expectations that profiles of load have. */
export const expectationIds = Object.keys(expectations) as readonly Id[];

const PASS_REQUIRES = {
  'every request': 'Every planned request was sent.',
  'every request on schedule': 'Every planned request was sent, on schedule.',
} as const satisfies Record<Expectation['passRequires'], string>;

const RESTS_ON = {
  'each key': 'All requests of each key, one key after the other.',
  'all keys':
    'The requests of all keys, compared with each other; in a run of more than 200,000 requests, one of so many of each key, which the finding says.',
  counts: 'The counts and the percentiles of all keys, which are exact however long the run is.',
} as const satisfies Record<Expectation['scope'], string>;

/** The page of an expectation of load. */
export function expectationPage(id: Id): Page {
  const { expected, passRequires, scope } = expectations[id];
  const names = profiles.filter((one) => one.expects.includes(id)).map((one) => `\`${one.id}\``);
  const sections = [
    [
      'What it is',
      'An expectation of load: judged by `load` on the recorded samples, and no requirement of the register.',
    ],
    ['Profiles that judge it', `${names.join(', ')}.`],
    ['What it rests on', RESTS_ON[scope]],
    ['What a pass needs', PASS_REQUIRES[passRequires]],
    [
      'What stays inconclusive',
      'What late requests, a run that ended early, or another client of the key could have caused. `--exclusive-key` states that no other client uses the key.',
    ],
  ] as const;
  return pageWith(id, expected, sections);
}

/** Whether an id is that of a threshold: the one of `--latency-ms`, or one of a configuration file. */
export const isThreshold = (id: string): boolean => id === 'LATENCY' || /^THRESHOLD-[1-9][0-9]*$/.test(id);

/** The page of a threshold, which is the user's own: the specification promises no speed. */
export function thresholdPage(id: string): Page {
  const [sentence, source] =
    id === 'LATENCY'
      ? (['The 99th percentile latency does not exceed your threshold.', 'Set by `--latency-ms`.'] as const)
      : ([
          'The run keeps one of your thresholds.',
          'Set by `thresholds` in the configuration file, or by `--thresholds`. Each quantity (p50, p95, p99, errorRate, minimumRate) of each entry is one expectation; they are numbered in their order.',
        ] as const);
  return pageWith(id, sentence, [
    ['What it is', `A threshold of your own, and no sentence of the specification. ${source}`],
    ['What it rests on', RESTS_ON.counts],
    [
      'How latency is measured',
      'From the moment at which the schedule intended to send a request, so that a slow response also counts for the requests that it delayed.',
    ],
    [
      'What stays inconclusive',
      'A latency that exceeds the threshold only because this machine sent requests late, and a rate that the profile did not offer.',
    ],
  ]);
}

const pageWith = (
  id: string,
  sentence: string,
  sections: readonly (readonly [title: string, text: string])[],
): Page => ({ id, sentence, sections: sections.map(([title, text]) => ({ title, kind: 'text', text })) });
