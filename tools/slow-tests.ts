/**
 * The tests that `npm run test:quick` leaves out: those that need k6, a browser, Python or
 * real time, start processes, or judge thousands of runs. A path is a folder or a file.
 * What took longest in the last run starts first (durations.ts); in a fresh clone they start in this order.
 */
export const SLOW_TESTS: readonly string[] = [
  'evaluation/documents.test.ts',
  'evaluation/statistics',
  'evaluation/variants.test.ts',
  'evaluation/load/runners.test.ts',
  'evaluation/catalogue.test.ts',
  'suites/client/templates',
  'evaluation/load/random-conditions.test.ts',
  'suites/client/run/record-client.test.ts',
  'interfaces/playwright',
  'interfaces/command/certificate',
  'interfaces/command/reports',
  'tools/release/release.test.ts',
  'evaluation/hostile',
  'evaluation/load/profiles.test.ts',
  'evaluation/end-to-end.test.ts',
  'evaluation/selection.test.ts',
  'evaluation/nothing-lost',
  'evaluation/third-party',
  'reports/html/browser.test.ts',
  'evaluation/package',
  'evaluation/bench/reading',
  'evaluation/faces.test.ts',
  'suites/service/judge/properties.test.ts',
  'interfaces/command/load-outputs.test.ts',
  'interfaces/command/spend-day.test.ts',
  'evaluation',
  'interfaces/command',
  'suites/client/run/hostile-clients.test.ts',
  'suites/client/run/watchdog.test.ts',
  'suites/client/service/reset.test.ts',
  'suites/service/requirements/version-and-deprecation/openapi-document.test.ts',
  'kernel/rate-limits/soundness.test.ts',
  'kernel/rate-limits/another-client.test.ts',
  'tools',
  'kernel/usage-ledger/usage-ledger.test.ts',
  'load/k6',
  'load/run/full-disk.test.ts',
  'load/operator',
  'reports/load/browser.test.ts',
  'suites/service/judge/repeat-in-shell.test.ts',
];

/** Imports of tests that start processes or need a tool. */
const MARKS = [
  /'node:child_process'/,
  /'node:worker_threads'/,
  /testing\/tools\/k6\.ts'/,
  /redis-process\.ts'/,
  /chromium\.ts'/,
];

/** Whether the text of a test file shows that it is slow; the list decides about all that it does not show. */
export const looksSlow = (text: string): boolean => MARKS.some((mark) => mark.test(text));

const liesIn = (file: string, path: string): boolean => file === path || file.startsWith(`${path}/`);

/** The slow ones of these test files, in the order of the list. */
export function slowOf(files: readonly string[]): readonly string[] {
  return [...new Set(SLOW_TESTS.flatMap((path) => files.filter((file) => liesIn(file, path))))];
}

/** The other ones of these test files. */
export function quickOf(files: readonly string[]): readonly string[] {
  const slow = new Set(slowOf(files));
  return files.filter((file) => !slow.has(file));
}
