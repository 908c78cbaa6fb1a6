import { waitMarginMs, windowMs } from '../../load/profiles/arithmetic.ts';
import type { LoadSettings } from './settings.ts';

/**
 * How long the keys rest between two repetitions, in milliseconds: two windows, because a sliding counter remembers
 * the window before. So every run starts with unused keys, and none has to wait where another has not.
 */
export const restBetweenMs = ({ inputs: { limits } }: Pick<LoadSettings, 'inputs'>): number =>
  2 * windowMs(limits) + waitMarginMs(limits);

/** What all runs of a repeated profile do together. */
export interface RepetitionTotal {
  readonly runs: number;
  readonly requests: number;
  /** Categories that stay on the target. */
  readonly creations: number;
  /** Estimates with unused keys, and with keys that were used right before. */
  readonly seconds: { readonly expected: number; readonly afterRecentUse: number };
}

/** The total of all repetitions, the rests between them included. */
export function totalOf(settings: LoadSettings): RepetitionTotal {
  const { preview, repetitions: runs } = settings;
  const rests = ((runs - 1) * restBetweenMs(settings)) / 1000;
  const others = (runs - 1) * preview.seconds.expected + rests;
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
