import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { commandBeside } from '../../evaluation/testing/cli/command.ts';

/** Ctrl-C ends a run at once: long before the wait of 30 s that it interrupts, on any machine. In milliseconds. */
const AT_ONCE = 10_000;

// evaluation/nothing-lost interrupts a run by Ctrl-C, and kills it.
test('SIGTERM while it waits: it ends at once, exit 130, and the journal is judgeable', async (t) => {
  const { baseUrl, ...here } = await commandBeside(t, 30);
  const running = here.start(`certify --target ${baseUrl} --plans plans.json --out run`);
  await running.until('the target answered 429');
  const before = performance.now();
  running.child.kill('SIGTERM');
  const { code, err } = await running.ended();
  assert.ok(performance.now() - before < AT_ONCE);
  assert.equal(code, 130, err);
  assert.match(
    err,
    /\npetstore-conformance: Interrupted: [^\n]+petstore-conformance judge run\/journal\.ndjson\n$/,
  );
  assert.equal(here.journal().at(-1).how, 'interrupted');
  assert.deepEqual(here.names('run'), ['journal.ndjson']);
  const { out } = await here.exits(3, 'judge run/journal.ndjson');
  assert.match(out, /The run is incomplete/);
  assert.equal(here.verdict('LIMIT-3'), 'pass', 'exchanges before the interruption count');
  assert.equal(
    here.verdict('RETRY-3'),
    'inconclusive',
    'a missing exchange does not count against the target',
  );
});

/** A process that runs this script, with `interruptible` imported, and has printed something. */
async function ready(t: TestContext, body: string): Promise<ChildProcess> {
  const script = `import { interruptible } from '${new URL('exit-code.ts', import.meta.url)}'; ${body}`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script]);
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('a second Ctrl-C ends the process at once', async (t) => {
  const child = await ready(
    t,
    `setInterval(() => {}, 1e6);
    await interruptible(() => {
      process.stdout.write('ready');
      return new Promise(() => {});
    });`,
  );
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await delay(200);
  assert.equal(child.exitCode, null, 'the first signal does not end the process');
  child.kill('SIGINT');
  assert.deepEqual(await ended, [130, null]);
});

test('Ctrl-C between the end of the work and the end of the process leaves the exit code', async (t) => {
  const child = await ready(
    t,
    `await interruptible(async () => {});
    process.stdout.write('ready');
    setTimeout(() => process.exit(1), 300);`,
  );
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  assert.deepEqual(await ended, [1, null]);
});
