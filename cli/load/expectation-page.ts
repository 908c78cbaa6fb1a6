import type { Page } from '../../handbook/index.ts';
import type { Expectation } from '../../load/judging/expectation.ts';
import { expectations } from '../../load/judging/expectations/index.ts';
import type { Profile } from '../../load/model/profile.ts';
import { profiles } from '../../load/profiles/index.ts';

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
  return {
    id,
    sentence: expected,
    sections: sections.map(([title, text]) => ({ title, kind: 'text', text })),
  };
}
