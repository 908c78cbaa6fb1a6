import { readFileSync } from 'node:fs';

/** How comparisons of two sets came out. */
export interface Comparisons {
  /** What was compared, for the table. */
  readonly what: string;
  /** Runs in each set. */
  readonly runs: number;
  readonly comparisons: number;
  readonly regression: number;
  readonly undecided: number;
  readonly none: number;
}

/** What `npm run evaluate -- compare-sets --write` measured. */
export interface CompareResults {
  readonly simulatedEqual: readonly Comparisons[];
  readonly simulatedWorse: readonly Comparisons[];
  readonly realEqual: readonly Comparisons[];
  readonly realWorse: readonly Comparisons[];
  /** Real runs against one unchanged server, and those against degraded ones. */
  readonly realRuns: { readonly equal: number; readonly degraded: number };
}

/** The file of the committed results. */
export const COMPARE_RESULTS_FILE = new URL('results.json', import.meta.url);

/** The committed results. */
export const readCompareResults = (): CompareResults =>
  JSON.parse(readFileSync(COMPARE_RESULTS_FILE, 'utf8'));
