import { readFileSync } from 'node:fs';
import type { Verdict } from '../../../kernel/findings/record.ts';

/** What the judges find in many simulated clients of one kind. */
export interface SimulatedResult {
  readonly name: string;
  /** The requirements that every client of this kind violates. */
  readonly violates: readonly string[];
  readonly clients: number;
  /** Clients that fail a requirement that they keep. */
  readonly falseFails: number;
  /** By requirement: how many clients got each verdict. */
  readonly verdicts: Readonly<Record<string, Readonly<Partial<Record<Verdict, number>>>>>;
}

/** The file of the committed results. */
export const SIMULATION_FILE = new URL('results.json', import.meta.url);

/** The committed results. */
export const readSimulation = (): readonly SimulatedResult[] =>
  JSON.parse(readFileSync(SIMULATION_FILE, 'utf8'));
