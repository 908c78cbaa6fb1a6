import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningCommand } from '../../evaluation/testing/cli/command.ts';
import {
  exits,
  journalIn,
  journalLinesIn,
  plansFile,
  start,
  verdictIn,
} from '../../evaluation/testing/cli/command.ts';
import { serve, serveReference } from '../../evaluation/testing/cli/target.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';

/** Ctrl-C ends a run at once: long before the wait of 30 s that it interrupts, on any machine. In milliseconds. */
const AT_ONCE = 10_000;

/** A run that received a 429 and waits for a window of 30 s to pass. */
async function waiting(t: TestContext): Promise<{ readonly running: RunningCommand; readonly cwd: string }> {
  const cwd = temporaryFolder(t);
  const { baseUrl, keys } = await serveReference(t, 30);
  const args = ['certify', '--target', baseUrl, '--plans', plansFile(cwd, 30), '--out', 'run'];
  const running = start(t, args, { cwd, env: { PETSTORE_API_KEY: keys.free[0] ?? '' } });
  await running.until('the target answered 429');
  return { running, cwd };
}

/** The journal of the interrupted run can be judged, and its 429 counts. */
async function assertJudgeable(t: TestContext, cwd: string): Promise<void> {
  const { out } = await exits(3, t, ['judge', 'run/journal.ndjson'], { cwd });
  assert.match(out, /The run is incomplete/);
  const verdict = (id: string) => verdictIn(join(cwd, 'run'), id);
  assert.equal(verdict('LIMIT-3'), 'pass', 'exchanges before the interruption count');
  assert.equal(verdict('RETRY-3'), 'inconclusive', 'a missing exchange does not count against the target');
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} while it waits: it ends at once, exit 130, and the journal is judgeable`, async (t) => {
    const { running, cwd } = await waiting(t);
    const before = performance.now();
    running.child.kill(signal);
    const { code, err } = await running.ended();
    assert.ok(performance.now() - before < AT_ONCE);
    assert.equal(code, 130, err);
    assert.match(
      err,
      /\npetstore-conformance: Interrupted: [^\n]+petstore-conformance judge run\/journal\.ndjson\n$/,
    );
    assert.equal(journalLinesIn(join(cwd, 'run')).at(-1).how, 'interrupted');
    assert.deepEqual(readdirSync(join(cwd, 'run')), ['journal.ndjson']);
    await assertJudgeable(t, cwd);
  });
}

test('Ctrl-C while a target delays its response: it ends at once, exit 130', async (t) => {
  const cwd = temporaryFolder(t);
  const target = await serve(t, () => undefined);
  const args = ['certify', '--target', `${target}/v1`, '--out', 'run'];
  const running = start(t, args, { cwd, env: { PETSTORE_API_KEY: 'pk-1234567890' } });
  await running.until('Waiting for the first response');
  const before = performance.now();
  running.child.kill('SIGINT');
  const { code } = await running.ended();
  assert.ok(performance.now() - before < AT_ONCE);
  assert.equal(code, 130);
  assert.equal(journalLinesIn(join(cwd, 'run')).at(-1).how, 'interrupted');
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

test('kill -9 leaves a journal that can be judged', async (t) => {
  const { running, cwd } = await waiting(t);
  running.child.kill('SIGKILL');
  await running.ended();
  assert.ok(journalIn(join(cwd, 'run')).endsWith('}\n'), 'every line is complete');
  await assertJudgeable(t, cwd);
});
