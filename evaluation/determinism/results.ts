import { readFileSync } from 'node:fs';

/** What came of examining one server again and again, as `npm run determinism` measured it. */
export interface Measured {
  readonly algorithm: string;
  readonly runs: number;
  /** Runs that came to the commonest vector of verdicts. */
  readonly equal: number;
  readonly outcome: string;
  readonly minuteSeconds: number;
  /** How long all of them took, in seconds. */
  readonly seconds: number;
}

/** Where the measured figures are kept. */
export const RESULTS = new URL('results.json', import.meta.url);

/** The committed figures. */
export const readMeasured = (): readonly Measured[] => JSON.parse(readFileSync(RESULTS, 'utf8'));
