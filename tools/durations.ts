import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { isGroup } from './test-groups.ts';

/** What a test file cost: seconds by the clock, and seconds of computing, those of the processes that it started included. */
interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** The cost of each test file when it ran last. */
type Durations = Readonly<Record<string, Cost>>;

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

/** The lines that `tools/measured.ts` wrote: what each program cost, by its path. */
export const readCosts = (lines: string): readonly (readonly [program: string, cost: Cost])[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [program = '', seconds, cpuSeconds] = line.split('\t');
      return [program, { seconds: Number(seconds), cpuSeconds: Number(cpuSeconds) }];
    });

/**
 * Costs of programs as durations of test files.
 * @param files what each program is called in the durations, by its path
 */
export const durationsOf = (
  costs: ReturnType<typeof readCosts>,
  files: ReadonlyMap<string, string>,
): Durations =>
  Object.fromEntries(
    costs.flatMap(([program, cost]) => {
      const file = files.get(program);
      return file === undefined ? [] : [[file, cost]];
    }),
  );

/** What the shared processes and the other files cost, in one line. @param seconds since the first of them started */
export function partsText(costs: ReturnType<typeof readCosts>, seconds: number): string {
  const of = (shared: boolean) =>
    costs.filter(([program]) => isGroup(program) === shared).map(([, cost]) => cost);
  const computing = (all: readonly Cost[]): string =>
    all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0).toFixed(0);
  const longest = Math.max(0, ...of(true).map((one) => one.seconds));
  return `Tests that share processes took ${longest.toFixed(0)} s (${computing(of(true))} s of computing), and all of them ${seconds.toFixed(0)} s (the others ${computing(of(false))} s of computing).`;
}

const SKIPPED: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'out',
  'test-results',
  'playwright-report',
]);

/**
 * Every file under `root` whose name ends in `ending`, as sorted paths relative to it with `/`;
 * hidden folders, packages and folders of output are left out.
 */
export function filesEndingIn(root: string, ending: string): readonly string[] {
  const walk = (folder: string): readonly string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
      const path = join(folder, one.name);
      if (one.isDirectory()) return SKIPPED.has(one.name) || one.name.startsWith('.') ? [] : walk(path);
      return one.name.endsWith(ending) ? [relative(root, path).split(sep).join('/')] : [];
    });
  return [...walk(root)].sort();
}

/** The test files of the project; with `wanted`, those that are or lie in one of these paths. */
export function testFiles(root: string, wanted: readonly string[]): readonly string[] {
  const all = filesEndingIn(root, '.test.ts');
  if (wanted.length === 0) return all;
  const paths = wanted.map((path) => path.replace(/^\.\//, '').replace(/\/$/, ''));
  return all.filter((file) => paths.some((path) => file === path || file.startsWith(`${path}/`)));
}
