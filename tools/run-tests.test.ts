import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../evaluation/testing/tools/folder.ts';
import { dayNumber, numbersTo, shareOf } from './sample.ts';

const RUNNER = fileURLToPath(new URL('./run-tests.ts', import.meta.url));

/** A runner that is itself under test must not take part in the report of the one that runs it. */
const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };

const runner = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', RUNNER, ...args], {
    env,
  });
  return { status, out: stdout.toString(), err: stderr.toString() };
};

test('a run without a test fails', () => {
  const { status, err } = runner('nowhere');
  assert.equal(status, 2);
  assert.match(err, /No \*\.test\.ts lies in nowhere\./);
});

test('a quick run of slow tests alone fails, and says what to do', () => {
  const { status, err } = runner('--quick', 'evaluation');
  assert.equal(status, 2);
  assert.match(err, /npm run test:unit -- evaluation/);
});

test('an unknown option is not ignored', () => {
  const { status, err } = runner('--quik');
  assert.equal(status, 2);
  assert.match(err, /--quik/);
});

const PROGRAM = fileURLToPath(new URL('./test-order.ts', import.meta.url));

/** Runs test files with these names and bodies of one test, in this order. */
function runInOrder(t: TestContext, bodies: Readonly<Record<string, string>>) {
  const folder = temporaryFolder(t);
  const files = Object.entries(bodies).map(([name, body]) => {
    const path = join(folder, `${name}.test.mjs`);
    writeFileSync(path, `import { test } from 'node:test';\ntest('${name}', () => {\n${body}\n});\n`);
    return path;
  });
  const args = ['--import', 'tsx', PROGRAM, ...files];
  const { status, stdout } = spawnSync(process.execPath, args, { env });
  return { status, out: stdout.toString() };
}

test('files run in the order in which they are given, and the summary comes last', (t) => {
  const { status, out } = runInOrder(t, { c: '', a: '', b: '' });
  assert.equal(status, 0, out);
  assert.deepEqual(out.match(/(?<=✔ )[abc]/g), ['c', 'a', 'b']);
  assert.match(out, /ℹ tests 3\n(ℹ .*\n)*ℹ duration_ms [\d.]+\n$/);
});

test('a failed test and a file that cannot run end with exit code 1', (t) => {
  const failed = runInOrder(t, { good: '', bad: "throw new Error('wrong');" });
  assert.equal(failed.status, 1);
  assert.match(failed.out, /✖ bad/);
  assert.match(failed.out, /ℹ fail 1\n/);
  assert.equal(runInOrder(t, { broken: 'a syntax error' }).status, 1);
});

const week = ['11-28', '11-29', '11-30', '12-01', '12-02', '12-03', '12-04'].map((day) => `2026-${day}`);

test('each is in the sample of one day in a week', () => {
  const samples = week.map((day) => shareOf(numbersTo(100), dayNumber(day)));
  const all = samples.flat().sort((a, b) => a - b);
  assert.deepEqual(all, numbersTo(100));
  assert.ok(samples.every(({ length }) => length === 14 || length === 15));
  assert.deepEqual(shareOf(numbersTo(100), dayNumber('2026-12-05')), samples[0]);
});

test('of a short list every day has something', () => {
  const samples = week.map((day) => shareOf(['a', 'b', 'c'], dayNumber(day)));
  assert.ok(samples.every(({ length }) => length === 1));
  assert.deepEqual(new Set(samples.flat()), new Set(['a', 'b', 'c']));
  assert.deepEqual(shareOf([], 3), []);
});

test('what is no day is rejected with a sentence', () => {
  assert.throws(
    () => dayNumber('yesterday'),
    /TEST_SAMPLE is a day, such as 2026-11-25, or all; not yesterday\./,
  );
});
