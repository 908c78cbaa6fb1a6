import type { Expectation } from '../../load/judging/evidence.ts';
import { expectations } from '../../load/judging/expectations/index.ts';
import { profiles } from '../../load/profiles/index.ts';
import type { ExpectationId } from '../../spec/register.ts';
import { entry } from '../../spec/register.ts';
import type { Page } from './page.ts';
import { LEVELS, statedText, text } from './page.ts';

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
export function expectationPage(id: ExpectationId): Page {
  const { sentence, level, chapter, from } = entry(id);
  const { whyItMatters, passRequires, scope } = expectations[id];
  const names = profiles.filter((one) => one.expects.includes(id)).map((one) => `\`${one.id}\``);
  return {
    id,
    sentence,
    sections: [
      text('Level', `${LEVELS[level]} Chapter: ${chapter}. Judged by \`load\`.`),
      text(
        'What the specification says',
        from === undefined ? 'Nothing: this is what a load test is for.' : statedText(from),
      ),
      text('Why it matters', whyItMatters),
      text('Profiles that judge it', `${names.join(', ')}.`),
      text('What it rests on', RESTS_ON[scope]),
      text('What a pass needs', PASS_REQUIRES[passRequires]),
      text(
        'What stays inconclusive',
        'What late requests, a run that ended early, or another client of the key could have caused. `--exclusive-key` states that no other client uses the key.',
      ),
    ],
  };
}

/** The page of a threshold, which is the user's own: the specification promises no speed. */
export function thresholdPage(id: string): Page {
  const [sentence, source] =
    id === 'LATENCY'
      ? (['The 99th percentile latency does not exceed your threshold.', 'Set by `--latency-ms`.'] as const)
      : ([
          'The run keeps one of your thresholds.',
          'Set by `thresholds` in the configuration file, or by `--thresholds`. Each quantity (p50, p95, p99, errorRate, minimumRate) of each entry is one expectation; they are numbered in their order.',
        ] as const);
  return {
    id,
    sentence,
    sections: [
      text('What it is', `A threshold of your own, and no sentence of the specification. ${source}`),
      text('What it rests on', RESTS_ON.counts),
      text(
        'How latency is measured',
        'From the moment at which the schedule intended to send a request, so that a slow response also counts for the requests that it delayed.',
      ),
      text(
        'What stays inconclusive',
        'A latency that exceeds the threshold only because this machine sent requests late, and a rate that the profile did not offer.',
      ),
    ],
  };
}
