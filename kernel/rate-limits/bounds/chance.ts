import type { Transition } from '../series/transitions.ts';

/**
 * An upper bound on the probability that another client of the key, whose requests come at times of their own, hit
 * each of these stretches of a series and none of the others. Derivation: BOUNDS.md, "Chance".
 * @param hit the stretches in which Remaining fell beyond use.
 * @param all every stretch of the series, those that were hit included.
 */
export function chanceToHit(hit: readonly Transition[], all: readonly Transition[]): number {
  const median = medianOf(all.map(lasted));
  const total = all.reduce(
    (sum, change) => sum + (hit.includes(change) ? lasted(change) : Math.min(lasted(change), median)),
    0,
  );
  if (total === 0) return 1;
  return hit.reduce((chance, change, i) => (chance * (i + 1) * lasted(change)) / total, 1);
}

/** Milliseconds in which another request can have come between the two decisions. */
const lasted = ({ atMostMs }: Transition): number => Math.max(atMostMs, Number.EPSILON);

function medianOf(values: readonly number[]): number {
  const ordered = values.toSorted((a, b) => a - b);
  return ordered[Math.floor(ordered.length / 2)] ?? 0;
}
