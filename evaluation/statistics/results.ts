import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Subject } from './subjects.ts';
import { subjects } from './subjects.ts';
import type { Tally } from './tally.ts';

/** The long proof as it was last run and committed. */
export interface Results {
  readonly seed: number;
  readonly rows: readonly StatisticsRow[];
}

/** What came of all runs of a subject, and of the first of them, which every test run repeats. */
export interface StatisticsRow extends Pick<Tally, 'subject' | 'runs' | 'found' | 'accused'> {
  readonly first: Pick<Tally, 'runs' | 'found' | 'accused'>;
}

/** The seed of the committed proof. */
export const SEED = 20_261_121;

/** Where the results lie, from the root of the project. */
export const RESULTS = join('proof', 'statistics', 'results.json');

/** The committed results; undefined where there are none yet. */
export function readResults(): Results | undefined {
  return existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as Results) : undefined;
}

/** How many of its runs every test run repeats. */
export function firstRuns({ conforms, runs, where }: Subject): number {
  if (!conforms) return where === 'calm' ? 4 : 1;
  return Math.max(2, Math.ceil(runs / 80));
}

const FLOWS =
  'Over a long link a lawful bucket gives as much back between two answers as this fault does, so nothing is proven.';

/** Faults that no examination is certain to find over every link, and why. Every other one has to be found in each run. */
export const uncertain: Readonly<Record<string, string>> = {
  'creations-reset-the-counter': FLOWS,
  'every-third-request-not-counted': FLOWS,
  'replicas-count-for-themselves': FLOWS,
  'workers-count-for-themselves': FLOWS,
  'updates-lost-in-fifty-milliseconds':
    'It shows only where two requests reach the server within fifty milliseconds of each other, and the network decides that.',
  'updates-lost':
    'It shows only where two requests reach the server within ten milliseconds of each other, and the network decides that.',
  'retry-after-rounded-down':
    'It is less than a second short: over a long link the request arrives when the window has passed.',
  'retry-after-two-seconds-short':
    'A second of it is allowed for rounding, and over a long link the rest has passed when the request arrives.',
};

/**
 * Whether a subject meets its bar: a service that conforms was never accused,
 * whatever the network lost and whoever else used the key; and a fault that is
 * certain to be found was found each time.
 */
export function meetsThreshold(subject: Subject, tally: Pick<Tally, 'runs' | 'found' | 'accused'>): boolean {
  const { conforms, where, name } = subject;
  if (conforms) return tally.accused === 0;
  return where !== 'calm' || name in uncertain || tally.found === tally.runs;
}

/** Whether every test run repeats the first runs of a subject: those for which a bar stands. */
export const isRepeated = ({ conforms, where }: Subject): boolean => where === 'calm' || conforms;

/** The subject with this id, or undefined. */
export const subjectOf = (id: string): Subject | undefined => subjects.find((one) => one.id === id);
