/**
 * The tests that `npm run test:quick` leaves out: those that need k6, a browser, Python or
 * real time, start processes, or judge thousands of runs. A path is a folder or a file.
 * The one that takes longest stands first, because they start in this order and no core
 * should wait for the last one.
 */
export const SLOW_TESTS: readonly string[] = [
  'evaluation/statistics',
  'suites/playwright',
  'evaluation/hostile',
  'evaluation/catalogue.test.ts',
  'cli/usage.test.ts',
  'evaluation',
  'catalogue/replicas',
  'clients/templates',
  'suites/judge/properties.test.ts',
  'evaluation/bench/reading',
  'cli',
  'clients/run/record-client.test.ts',
  'clients/run/hostile-clients.test.ts',
  'clients/run/watchdog.test.ts',
  'suites/requirements/version-and-deprecation/openapi-document.test.ts',
  'suites/run/soundness.test.ts',
  'rate-limits/soundness.test.ts',
  'rate-limits/another-client.test.ts',
  'tools',
  'usage-ledger/usage-ledger.test.ts',
  'load/k6',
  'load/run/full-disk.test.ts',
  'load/operator',
  'reports/html/browser.test.ts',
  'reports/load/browser.test.ts',
  'suites/judge/repeat.test.ts',
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
