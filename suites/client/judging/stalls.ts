import type { StallLine } from '../model/journal.ts';

/** How long this program did not run between two moments, in milliseconds. */
export const stalledWithin = (from: number, until: number, stalls: readonly StallLine[]): number =>
  stalls.reduce((sum, { at, milliseconds }) => {
    const overlap = Math.min(until, at.mono) - Math.max(from, at.mono - milliseconds);
    return sum + Math.max(0, overlap);
  }, 0);
