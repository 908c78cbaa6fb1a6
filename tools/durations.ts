import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What a test file cost: seconds by the clock, and seconds of computing, those of the processes that it started included. */
export interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** The cost of each test file when it ran last. */
export type Durations = Readonly<Record<string, Cost>>;

/** Where the durations of the last runs stand. */
export const DURATIONS_FILE = '.compiled/durations.json';

/** Of the last runs; empty in a fresh clone. */
export const readDurations = (path: string): Durations =>
  existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};

/** Puts new durations over those of earlier runs, the longest first. */
export function writeDurations(path: string, measured: Durations): void {
  const all = Object.entries({ ...readDurations(path), ...measured });
  const sorted = all.sort(([, a], [, b]) => b.seconds - a.seconds);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

/** What took longest comes first, so that no core waits for the last file, and before it what was never measured. */
export function longestFirst(files: readonly string[], durations: Durations): readonly string[] {
  const seconds = (file: string): number => durations[file]?.seconds ?? Number.MAX_VALUE;
  return [...files].sort((a, b) => seconds(b) - seconds(a));
}

/**
 * The lines that `tools/measured.ts` wrote, as durations.
 * @param files what each program is called in the durations, by its path
 */
export function measuredDurations(lines: string, files: ReadonlyMap<string, string>): Durations {
  const measured = lines.split('\n').flatMap((line): [string, Cost][] => {
    const [program = '', seconds, cpuSeconds] = line.split('\t');
    const file = files.get(program);
    return file === undefined ? [] : [[file, { seconds: Number(seconds), cpuSeconds: Number(cpuSeconds) }]];
  });
  return Object.fromEntries(measured);
}
