import { readFileSync } from 'node:fs';

/** How many repeated runs of a profile against one server came to the same verdicts, as measured by `npm run evaluate -- determinism-load`. */
export interface LoadDeterminismResult {
  readonly profile: string;
  /** The fault of the server, or null where it conforms. */
  readonly fault: string | null;
  readonly runs: number;
  /** The size of the largest group of runs with the same verdicts. */
  readonly equal: number;
  readonly verdict: string;
  /** The expectations that failed. */
  readonly failed: readonly string[];
  readonly minuteSeconds: number;
  /** How long all runs took, in seconds. */
  readonly seconds: number;
}

/** The file of the committed results. */
export const LOAD_DETERMINISM_FILE = new URL('results.json', import.meta.url);

/** The committed results. */
export const readLoadDeterminism = (): readonly LoadDeterminismResult[] =>
  JSON.parse(readFileSync(LOAD_DETERMINISM_FILE, 'utf8'));
