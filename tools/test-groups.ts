import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sampleOf } from './sample.ts';
import type { ToolName } from './tools.ts';

/** What the modules of groups import. */
export const GROUP_PROGRAM = 'tools/test-group.ts';

/**
 * Writes the module of each process that shares these files into a temporary folder, which is removed when this
 * process exits. Each process takes the next file that none has taken.
 * @param moduleOf the path of the module to load for a file
 * @returns their paths.
 */
export function writeGroups(
  files: readonly string[],
  processes: number,
  moduleOf: (file: string) => string,
): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const urlOf = (file: string): string => pathToFileURL(moduleOf(file)).href;
  const named = files.map((file) => [file, urlOf(file)]);
  const text = `import { runFiles } from ${JSON.stringify(urlOf(GROUP_PROGRAM))};

await runFiles(${JSON.stringify(named, null, 2)}, ${JSON.stringify(folder)});
`;
  return Array.from({ length: Math.min(processes, files.length) }, (_, at) => {
    const path = join(folder, `shared-${at + 1}.mjs`);
    writeFileSync(path, text);
    return path;
  });
}

/**
 * The tests that `npm run test:quick` leaves out: those that need k6, a browser, Python or
 * real time, start processes, or judge thousands of runs. A path is a folder or a file.
 * They start in this order, so what takes longest stands first.
 */
export const SLOW_TESTS: readonly string[] = [
  'evaluation/documents.test.ts',
  'interfaces/command/certify-client.test.ts',
  'reports/html/browser.test.ts',
  'evaluation/hostile',
  'evaluation/bench/reading',
  'suites/client/run/record-client.test.ts',
  'evaluation/load',
  'evaluation/faces.test.ts',
  'interfaces/command/certify.test.ts',
  'evaluation/third-party',
  'interfaces/command/load-run.test.ts',
  'interfaces/playwright',
  'evaluation/end-to-end.test.ts',
  'interfaces/command/secrets.test.ts',
  'evaluation/determinism',
  'interfaces/command',
  'suites/client/templates',
  'tools',
  'evaluation',
  'suites/client/run/hostile-clients.test.ts',
  'suites/client/run/watchdog.test.ts',
  'suites/client/service/reset.test.ts',
  'suites/service/judge/properties.test.ts',
  'suites/service/judge/repeat-in-shell.test.ts',
  'suites/service/requirements/version-and-deprecation/openapi-document.test.ts',
  'kernel/rate-limits/soundness.test.ts',
  'kernel/usage-ledger/usage-ledger.test.ts',
  'load/k6',
  'load/operator',
  'load/run/full-disk.test.ts',
];

/**
 * Slow tests that compute and hardly wait share processes with the quick ones: in a process of its own, each would load
 * the same code and have it optimized anew, which took a quarter of their time. What takes longest stands first.
 */
export const COMPUTING_TESTS: readonly string[] = [
  'evaluation/variants.test.ts',
  'evaluation/catalogue.test.ts',
  'evaluation/statistics',
  'evaluation/selection.test.ts',
  'evaluation/load/profiles.test.ts',
  'evaluation/load/limits.test.ts',
  'suites/service/judge/properties.test.ts',
  'evaluation/clocks.test.ts',
  'evaluation/conforming.test.ts',
  'evaluation/load/compare-sets',
  'evaluation/load/scenario.test.ts',
  'evaluation/clients/simulation',
  'evaluation/nothing-lost/damage.test.ts',
  'evaluation/testing',
  'interfaces/command/judge.test.ts',
  'interfaces/command/certify/settings.test.ts',
  'interfaces/command/init.test.ts',
  'interfaces/command/listings.test.ts',
  'interfaces/command/load/settings.test.ts',
  'interfaces/command/reaching.test.ts',
  'interfaces/command/reports/compare-runs.test.ts',
  'interfaces/command/sessions.test.ts',
  'interfaces/playwright/settings.test.ts',
  'suites/service/requirements/version-and-deprecation/openapi-document.test.ts',
  'kernel/rate-limits/soundness.test.ts',
  'load/k6/find.test.ts',
  'load/run/full-disk.test.ts',
  'tools/boundaries',
  'tools/docs',
  'tools/project-files.test.ts',
  'tools/glossary',
  'tools/package',
];

/** Imports of tests that start processes or need a tool. */
const MARKS = [
  /'node:child_process'/,
  /'node:worker_threads'/,
  /testing\/tools\/k6\.ts'/,
  /balancer\.ts'/,
  /reports\/browser\.ts'/,
  /tools\/tools\.ts'/,
];

/** Whether the text of a test file shows that it is slow; the list decides about all that it does not show. */
export const looksSlow = (text: string): boolean => MARKS.some((mark) => mark.test(text));

const liesIn = (file: string, path: string): boolean => file === path || file.startsWith(`${path}/`);

/** Those of these files that are or lie in one of these paths, in the order of the paths. */
const inOrderOf = (paths: readonly string[], files: readonly string[]): readonly string[] => [
  ...new Set(paths.flatMap((path) => files.filter((file) => liesIn(file, path)))),
];

/** The slow ones of these test files, in the order of the list. */
export const slowOf = (files: readonly string[]): readonly string[] => inOrderOf(SLOW_TESTS, files);

/** Those of these slow test files that only compute, in the order of their list. */
export const computingOf = (slow: readonly string[]): readonly string[] => inOrderOf(COMPUTING_TESTS, slow);

/** The other ones of these test files. */
export function quickOf(files: readonly string[]): readonly string[] {
  const slow = new Set(slowOf(files));
  return files.filter((file) => !slow.has(file));
}

/** A tool that few tests need. */
interface RareTool {
  readonly tool: ToolName;
  /** The test files of its day: those about it, and others that take as long. Single tests of other files run where a tool is at hand. */
  readonly files: readonly string[];
}

/** One for each day, so that a week has all of them: providing them takes longer than all other tests. */
const RARE_TOOLS: readonly RareTool[] = [
  { tool: 'chromium', files: ['reports/html/browser.test.ts'] },
  {
    tool: 'schemathesis',
    files: ['evaluation/third-party/schemathesis.test.ts', 'interfaces/playwright/own-project.test.ts'],
  },
  {
    tool: 'in-toto',
    files: ['evaluation/package/package.test.ts', 'evaluation/load/runners.test.ts'],
  },
  {
    tool: 'prometheus',
    files: ['evaluation/load/watch.test.ts', 'interfaces/playwright/foreign-project.test.ts'],
  },
  { tool: 'operator-check', files: ['load/operator/manifests.test.ts'] },
];

/** The tools of this sample. */
export const toolsOfDay: readonly ToolName[] = sampleOf(RARE_TOOLS).map(({ tool }) => tool);

/** These test files without those about a tool of another day. */
export function withoutOtherDays(files: readonly string[]): readonly string[] {
  const ofOtherDays = new Set(
    RARE_TOOLS.filter(({ tool }) => !toolsOfDay.includes(tool)).flatMap((one) => one.files),
  );
  return files.filter((file) => !ofOtherDays.has(file));
}
