import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Subject } from './subjects.ts';
import { subjects } from './subjects.ts';
import type { Tally } from './tally.ts';

/** The long proof as it was last run and committed. */
export interface Results {
  readonly seed: number;
  readonly rows: readonly Row[];
}

/** What came of all runs of a subject, and of the first of them, which every test run repeats. */
export interface Row extends Pick<Tally, 'subject' | 'runs' | 'found' | 'accused'> {
  readonly first: Pick<Tally, 'runs' | 'found' | 'accused'>;
}

/** The seed of the committed proof. */
export const SEED = 20_261_121;

/** Where the results lie, from the root of the project. */
export const RESULTS = join('proof', 'statistics', 'results.json');

export const readResults = (): Results => JSON.parse(readFileSync(RESULTS, 'utf8')) as Results;

/** How many of its runs every test run repeats. */
export function firstRuns({ conforms, runs, where }: Subject): number {
  if (!conforms) return where === 'calm' ? 4 : 1;
  return Math.max(2, Math.ceil(runs / 80));
}

/**
 * Faults that no examination can be certain to find, in a calm stratum, and why.
 * Every other one has to be found in each run.
 */
export const uncertain: Readonly<Record<string, string>> = {
  'updates-lost':
    'It shows only where two requests reach the server within ten milliseconds, which the network decides.',
  'retry-after-rounded-down':
    'It is less than a second short: over a long link the request arrives when the window has passed.',
};

/** Whether the bar stands for a subject: nothing accused wrongly, and a fault that is certain to be found was found each time. */
export function meetsBar(subject: Subject, tally: Pick<Tally, 'runs' | 'found' | 'accused'>): boolean {
  if (subject.conforms) return tally.accused === 0;
  return subject.where !== 'calm' || subject.name in uncertain || tally.found === tally.runs;
}

/** The subject with this id, or undefined. */
export const subjectOf = (id: string): Subject | undefined => subjects.find((one) => one.id === id);
