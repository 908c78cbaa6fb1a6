import { readFileSync } from 'node:fs';

/** What came of running one profile against one server again and again, as `npm run determinism:load` measured it. */
export interface LoadMeasured {
  readonly profile: string;
  /** The fault of the server, or null where it conforms. */
  readonly fault: string | null;
  readonly runs: number;
  /** Runs that came to the commonest vector of verdicts. */
  readonly equal: number;
  readonly verdict: string;
  /** The expectations that failed. */
  readonly failed: readonly string[];
  readonly minuteSeconds: number;
  /** How long all of them took, in seconds. */
  readonly seconds: number;
}

/** Where the measured figures are kept. */
export const LOAD_RESULTS = new URL('results.json', import.meta.url);

/** The committed figures. */
export const readLoadMeasured = (): readonly LoadMeasured[] => JSON.parse(readFileSync(LOAD_RESULTS, 'utf8'));
