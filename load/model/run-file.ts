import type { Static } from '../../kernel/basics/shape.ts';
import {
  exactly,
  listOf,
  matching,
  maybe,
  moment,
  object,
  orNull,
  positive,
  text,
} from '../../kernel/basics/shape.ts';
import { endingFields, environmentFields, profileId } from '../../kernel/findings/load.ts';
import { origin, testedTarget } from '../../kernel/findings/tested.ts';
import { inputsShape, thresholdsShape } from './profile.ts';

const { suite, spec, product, startedAt } = origin;

/** What judging needs besides the samples: `load-run.json`. It is written before the first request, so that a run of a killed program can be judged. */
export const runFileShape = object({
  schemaVersion: exactly(2),
  suite,
  spec,
  target: testedTarget,
  product,
  profile: profileId,
  inputs: inputsShape,
  startedAt,
  environment: object({
    ...environmentFields,
    platform: matching(/^[a-z0-9]{1,20} [a-z0-9_]{1,20}$/, 'an operating system and a processor'),
    cpus: positive,
  }),
  /** The highest 99th percentile latency, in milliseconds; null where the user set none. */
  latencyThresholdMs: orNull(positive),
  /** Further thresholds of the user; absent where there are none. */
  thresholds: maybe(thresholdsShape),
  /** How many runs of k6 send the scenarios together, and record their own part of the samples; absent for a run of this machine. */
  runners: maybe(positive),
  /** How the run ended; null until it has, and for a run of several runners, whose samples show it. */
  end: orNull(
    object({
      ...endingFields,
      finishedAt: moment,
      remarks: maybe(listOf(text)),
    }),
  ),
});
export type LoadRunFile = Static<typeof runFileShape>;
