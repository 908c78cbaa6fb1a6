import type { Transition } from './accounting.ts';

/**
 * How probable it is, at the most, that another client of the key whose
 * requests come at times of their own hit each of these stretches of a series
 * and none of the others.
 *
 * He used the key at K = `hit.length` moments or more. A moment that knows
 * nothing of ours falls into a stretch in proportion to its time, so K moments
 * fall one each into these K with the chance K! · Π tᵢ / T, where T is the time
 * of all stretches. Pauses of this run's own would make T large and the chance
 * small, so every stretch that was not hit counts for no more than the median:
 * somebody who sends just when we are busy is thereby allowed for.
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
