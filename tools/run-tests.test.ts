import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

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

test('a watch wants a folder', () => {
  const { status, err } = runner('--watch');
  assert.equal(status, 2);
  assert.match(err, /npm run test:unit -- --watch /);
});

test('a quick run ends in the summary of node’s runner', () => {
  const { status, out } = runner('--quick', 'kernel/basics', 'kernel/rate-limits/untouched.test.ts');
  assert.equal(status, 0, out);
  assert.match(out, /✔ kernel\/rate-limits\/untouched\.test\.ts/);
  assert.match(out, /ℹ tests [1-9]/);
});

test('a watch runs the tests of its folder and goes on', async (t) => {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', RUNNER, '--watch', 'kernel/rate-limits/untouched.test.ts'],
    {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  // The runner and the watching process that it started are a group of their own.
  const { pid = 0 } = child;
  t.after(() => child.exitCode === null && process.kill(-pid, 'SIGKILL'));
  let out = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    out += text;
    if (out.includes('Completed running')) break;
  }
  assert.match(out, /✔ kernel\/rate-limits\/untouched\.test\.ts/);
  assert.equal(child.exitCode, null);
  process.kill(-pid, 'SIGINT');
  await once(child, 'exit');
});
