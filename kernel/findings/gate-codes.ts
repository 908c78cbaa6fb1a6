import type { Outcome } from './record.ts';

// A file of its own, which loads nothing: every command reads it before it does anything else.

/**
 * What a record amounts to for a pipeline. `partial`: everything that was selected passed, which is not `conforms`.
 * `accepted`: everything that fails is known. `no-run`: nothing could be tested, because the target, its key or the
 * client is not what the user stated.
 */
export type Gate = Outcome | 'partial' | 'accepted' | 'no-run';

/** The exit code that stands for each; every command and every pipeline reads it here. */
export const GATE_CODES = {
  conforms: 0,
  partial: 0,
  accepted: 0,
  violates: 1,
  'no-run': 2,
  incomplete: 3,
} as const satisfies Record<Gate, number>;
