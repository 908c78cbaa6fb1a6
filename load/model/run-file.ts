import type { LoadEnding, Threshold } from '../../kernel/findings/load.ts';
import type { LoadRecord } from '../../kernel/findings/record.ts';
import type { ProfileId, ProfileInputs } from './profile.ts';

/** What judging needs besides the samples: `load-run.json`. It is written before the first request, so that a run of a killed program can be judged. */
export interface LoadRunFile
  extends Pick<
    LoadRecord,
    'schemaVersion' | 'suite' | 'spec' | 'target' | 'product' | 'startedAt' | 'environment'
  > {
  readonly profile: ProfileId;
  readonly inputs: ProfileInputs;
  /** The highest 99th percentile latency, in milliseconds; null where the user set none. */
  readonly latencyThresholdMs: number | null;
  /** Further thresholds of the user; absent where there are none. */
  readonly thresholds?: readonly Threshold[];
  /** How many runs of k6 send the scenarios together, and record their own part of the samples; absent for a run of this machine. */
  readonly runners?: number;
  /** How the run ended; null until it has, and for a run of several runners, whose samples show it. */
  readonly end: (LoadEnding & { readonly finishedAt: string; readonly remarks?: readonly string[] }) | null;
}
