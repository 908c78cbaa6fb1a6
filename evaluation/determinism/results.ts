import { readFileSync } from 'node:fs';

/** How many repeated runs with one algorithm came to the same verdicts, as measured by `npm run evaluate -- determinism`. */
export interface DeterminismResult {
  readonly algorithm: string;
  readonly runs: number;
  /** The size of the largest group of runs with the same verdicts. */
  readonly equal: number;
  readonly outcome: string;
  readonly minuteSeconds: number;
  /** How long all runs took, in seconds. */
  readonly seconds: number;
}

/** The file of the committed results. */
export const DETERMINISM_FILE = new URL('results.json', import.meta.url);

/** The committed results. */
export const readDeterminism = (): readonly DeterminismResult[] =>
  JSON.parse(readFileSync(DETERMINISM_FILE, 'utf8'));
