import type { Static } from '../basics/shape.ts';
import {
  about,
  closed,
  count,
  digest,
  exactly,
  listOf,
  matching,
  maybe,
  named,
  number,
  numberFrom,
  object,
  orNull,
  positive,
  someText,
  text,
} from '../basics/shape.ts';

// What the record of a load run has besides that of every run.

export const profileId = matching(/^[a-z][a-z-]*$/, 'the id of a profile');

export const thresholdShape = closed(
  object('One threshold.', {
    profile: about('The profile that it applies to; every profile where it is absent.', maybe(profileId)),
    operation: about(
      'The operation whose requests count; both where it is absent.',
      maybe(exactly('list', 'create')),
    ),
    p50: about('Highest median latency, in milliseconds from the intended send time.', maybe(positive)),
    p95: about('Highest 95th percentile of latency, in milliseconds.', maybe(positive)),
    p99: about('Highest 99th percentile of latency, in milliseconds.', maybe(positive)),
    errorRate: about('Highest share of requests with a 5xx or without a response.', maybe(numberFrom(0, 1))),
    minimumRate: about(
      'Least number of requests that are accepted in a second, from the first one sent to the last response.',
      maybe(positive),
    ),
  }),
);
/** Thresholds of a user: the specification promises no speed. Each quantity of a rule is a requirement of its own. */
export type Threshold = Static<typeof thresholdShape>;

const recordedFile = named(
  'recordedFile',
  object('A file as it was when the run was judged.', {
    name: about('Without its folder.', someText),
    digest,
  }),
);
export type RecordedFile = Static<typeof recordedFile>;
const recorded = object('The files that were judged; absent where they cannot be read again.', {
  run: about('What was to be sent.', recordedFile),
  samples: about(
    'One file for each runner; none where the run ended before its first request.',
    listOf(recordedFile),
  ),
});
export type RecordedFiles = Static<typeof recorded>;

export const endingFields = {
  how: about(
    'Finished; stopped by a stop condition; interrupted by a signal; or failed because of k6 or the script.',
    exactly('finished', 'stopped', 'interrupted', 'failed'),
  ),
  because: about('The reason, for a person.', text),
};
const ended = object('How the run ended.', endingFields);
export type LoadEnding = Static<typeof ended>;

const keyCount = object('The requests of one key.', {
  key: about('Name of the key, never the key itself.', someText),
  planned: about('Planned requests.', count),
  sent: about('Sent requests.', count),
  accepted: about('Sent requests with a 2xx response.', count),
  rateLimited: about('Sent requests with a 429 response.', count),
  failed: about('Sent requests with any other response or none.', count),
});
export type KeyCount = Static<typeof keyCount>;

const phase = object(
  'A phase of a run with one rate: a step of breakpoint, before, during or after a burst, or a tenth of a soak.',
  {
    name: about('Name of the phase.', someText),
    seconds: about('Length, in seconds.', positive),
    requests: about('Requests that were due in it.', count),
    offeredPerSecond: about('Requests of all keys that were due in a second of it.', numberFrom(0)),
    acceptedPerSecond: about(
      '2xx responses to these requests in a second, until the last of them arrived.',
      numberFrom(0),
    ),
    p50: about(
      'Median latency in milliseconds, without preflight requests; null where there is no response.',
      orNull(number),
    ),
    p99: about(
      '99th percentile of latency in milliseconds; null where there is no response.',
      orNull(number),
    ),
    errors: about('Requests with a 5xx or without a response.', count),
    rateLimited: about('Requests with a 429 response.', count),
    result: about('What the phase shows, in a word or a clause; empty where there is nothing to say.', text),
  },
);
export type LoadPhase = Static<typeof phase>;

const latency = object({
  count: about('Number of responses.', count),
  min: about('Minimum.', number),
  p50: about('50th percentile.', number),
  p90: about('90th percentile.', number),
  p99: about('99th percentile.', number),
  p999: about('99.9th percentile.', number),
  max: about('Maximum.', number),
  twentieths: about(
    '5th, 10th and so on to the 95th percentile; absent in the reports of earlier versions.',
    maybe(listOf(number, 19, 19)),
  ),
});
/** Latency in milliseconds, from the intended send time where there is one (no coordinated omission). */
export type LatencySummary = Static<typeof latency>;

const version = matching(/^[0-9][0-9A-Za-z.+-]{0,30}$/, 'a version');
/** No free text: a report shows these, and nothing derives them. */
export const environmentFields = {
  k6: about('Version of k6.', version),
  http: about('The version of HTTP that the run spoke, where it was set.', maybe(exactly('HTTP/1.1'))),
  node: about('Version of Node.', version),
};
const environment = object('The machine and programs of the run, which affect the figures.', {
  ...environmentFields,
  platform: about(
    'Operating system and processor.',
    matching(
      /^(?:[0-9]+ runners on Kubernetes; judged on )?[a-z0-9]{1,20} [a-z0-9_]{1,20}$/,
      'an operating system and a processor',
    ),
  ),
  cpus: about('Processors.', count),
});

export const loadFields = {
  recorded: maybe(recorded),
  ended,
  keys: about('Planned and actual requests of each key.', listOf(keyCount)),
  latencyMs: about(
    'Milliseconds from the intended send time, where there is one, to the last byte; without the preflight request of each key, which opens the connection; null where there is no other response.',
    orNull(latency),
  ),
  scheduleDelayMs: about(
    'Milliseconds by which requests were sent later than planned; null where no request had a planned send time.',
    orNull(object({ p50: numberFrom(0), p99: numberFrom(0), max: numberFrom(0) })),
  ),
  phases: about(
    'The phases of a profile that compares them, in their order; absent for the others.',
    maybe(listOf(phase)),
  ),
  thresholds: about(
    'The thresholds of the user for this profile; each quantity is a requirement. Absent where there are none.',
    maybe(listOf(thresholdShape, 1)),
  ),
  environment,
};
