import { readFileSync } from 'node:fs';
import type { Certificate } from './certify-service.ts';

/** A run against the service as it conforms. */
export interface ConformingRun extends Certificate {
  readonly minuteSeconds: number;
}

/** What was measured of one service. */
export interface OutsiderResult {
  readonly name: string;
  /** Length of the minute of the runs with a break, in seconds. */
  readonly minuteSeconds: number;
  readonly conforming: readonly ConformingRun[];
  /** The certificate of each break, by its id. */
  readonly breaks: Readonly<Record<string, Certificate>>;
}

/** The file of the committed results. */
export const OUTSIDERS_FILE = new URL('results.json', import.meta.url);

/** The committed results. */
export const readOutsiders = (): readonly OutsiderResult[] =>
  JSON.parse(readFileSync(OUTSIDERS_FILE, 'utf8'));
