import type { Shape } from '../../kernel/basics/shape.ts';
import { listOf, where } from '../../kernel/basics/shape.ts';
import type { Threshold } from '../../kernel/findings/load.ts';
import { thresholdShape } from '../../kernel/findings/load.ts';

/** The quantities of a threshold, in the order in which they are judged. */
export const QUANTITIES = ['p50', 'p95', 'p99', 'errorRate', 'minimumRate'] as const;

const threshold = where(
  thresholdShape,
  (rule) => QUANTITIES.some((name) => rule[name] !== undefined),
  `bounds nothing; it needs one of ${QUANTITIES.join(', ')}`,
  { anyOf: QUANTITIES.map((name) => ({ required: [name] })) },
);
/** The thresholds of a user. */
export const thresholdsShape: Shape<readonly Threshold[]> = listOf(threshold, 1);

/** A quantity that a threshold bounds. */
export type Quantity = (typeof QUANTITIES)[number];

/** The thresholds that apply to a profile. */
export const thresholdsFor = (thresholds: readonly Threshold[], id: string): readonly Threshold[] =>
  thresholds.filter(({ profile }) => profile === undefined || profile === id);
