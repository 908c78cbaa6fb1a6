/**
 * How one figure changed from the first set to the second. `differs` is a difference between two single runs, which
 * may be noise; `undecided` is what more repetitions would decide; `inconclusive` is what cannot be compared.
 */
export type FigureChange = 'same' | 'better' | 'worse' | 'differs' | 'undecided' | 'inconclusive';

/** One figure of both sets. */
export interface ComparedFigure {
  /** Name of the figure: an expectation, a count or a latency. */
  readonly figure: string;
  /** Its value in the first set: the median where runs differ, with the lowest and the highest. */
  readonly first: string;
  /** Its value in the second set. */
  readonly second: string;
  readonly change: FigureChange;
  /** Why it is so, or cannot be compared, in a clause; empty where there is nothing to say. */
  readonly because: string;
}
