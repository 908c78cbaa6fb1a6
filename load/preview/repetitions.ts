import type { Limits } from '../../spec/plans.ts';
import { restMs } from '../profiles/arithmetic.ts';
import type { EstimatedDuration, Preview } from './preview.ts';

/** What all runs of a repeated profile do together. */
export interface RepetitionTotal extends Pick<Preview, 'requests' | 'creations'> {
  readonly runs: number;
  readonly seconds: EstimatedDuration;
}

/**
 * The total of all repetitions of a profile. Between two of them the keys rest, so that every run starts with unused
 * keys, and none has to wait where another has not.
 */
export function totalOf(preview: Preview, runs: number, limits: Limits): RepetitionTotal {
  const others = (runs - 1) * (preview.seconds.expected + restMs(limits) / 1000);
  return {
    runs,
    requests: runs * preview.requests,
    creations: runs * preview.creations,
    seconds: {
      expected: preview.seconds.expected + others,
      afterRecentUse: preview.seconds.afterRecentUse + others,
    },
  };
}
