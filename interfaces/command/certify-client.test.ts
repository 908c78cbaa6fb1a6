import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningCommand } from '../../evaluation/testing/cli/command.ts';
import {
  exits,
  journalIn,
  reportIn,
  start,
  textsOf,
  verdictIn,
} from '../../evaluation/testing/cli/command.ts';
import { nodeClient, processesWith } from '../../evaluation/testing/clients/recorded.ts';
import { onBusyMachine } from '../../evaluation/testing/tools/busy-machine.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { settleClient } from './clients/settings.ts';

const unlessBusy = onBusyMachine();

/** A client that makes its calls one after the other and never looks at a response. */
const HASTY = nodeClient(`
  const { PETSTORE_CALLS = 1, PETSTORE_CREATES = 0 } = process.env;
  for (let at = 0; at < Number(PETSTORE_CALLS) + Number(PETSTORE_CREATES); at += 1) await list();`);

test('the exemplary client passes a selected requirement; judge writes the same partial report again', async (t) => {
  const cwd = temporaryFolder(t);
  const certified = await exits(0, t, ['certify-client', '--only', 'CLIENT-4', '--out', 'run'], { cwd });
  assert.match(certified.out, /bundled exemplary client/);
  assert.match(certified.err, /wait-seconds 1: expects the next request at the earliest 3 s after the 429/);
  assert.equal(verdictIn(join(cwd, 'run'), 'CLIENT-4'), 'pass');
  assert.equal(verdictIn(join(cwd, 'run'), 'CLIENT-1'), 'not-tested');
  assert.match(certified.out, /✓ Partial run: 1 of \d+ requirements\. 1 passed/);
  await exits(0, t, ['judge', 'run/journal.ndjson', '--out', 'again'], { cwd });
  assert.deepEqual(readdirSync(join(cwd, 'again')), readdirSync(join(cwd, 'run')));
  assert.deepEqual(reportIn(join(cwd, 'again')), reportIn(join(cwd, 'run')));
});

test('a client that does not wait violates, and no file holds its key', async (t) => {
  const cwd = temporaryFolder(t);
  const [node, ...args] = HASTY;
  const printing = args.map((arg) =>
    arg.replace('const { PETSTORE_CALLS', 'console.log("key", key); const { PETSTORE_CALLS'),
  );
  const command = ['certify-client', '--only', 'CLIENT-1', '--out', 'run', '--', node, ...printing];
  const { out, err } = await exits(1, t, command, { cwd, env: { PETSTORE_DEBUG: '1' } });
  assert.equal(verdictIn(join(cwd, 'run'), 'CLIENT-1'), 'fail');
  assert.match(journalIn(join(cwd, 'run')), /"output":"key \[key\]\\n"/);
  for (const text of [out, err, ...textsOf(join(cwd, 'run'))]) {
    assert.doesNotMatch(text, /pk-[\w-]{20}/);
  }
});

/** A run whose client waits for ever, with a text by which its processes are found. */
async function waiting(
  t: TestContext,
): Promise<{ readonly running: RunningCommand; readonly cwd: string; readonly id: string }> {
  const cwd = temporaryFolder(t);
  const id = randomUUID();
  const client = nodeClient(
    `process.on('SIGTERM', () => {}); await list(); setInterval(() => '${id}', 1000);`,
  );
  const args = ['certify-client', '--only', 'CLIENT-4', '--out', 'run', '--', ...client];
  const running = start(t, args, { cwd });
  await running.until('at the earliest');
  return { running, cwd, id };
}

/** No process of the client is left, and the journal can be judged. */
async function assertCleanAndJudgeable(t: TestContext, cwd: string, id: string): Promise<void> {
  for (let waited = 0; waited < 10_000 && processesWith(id).length > 0; waited += 50) await delay(50);
  assert.deepEqual(processesWith(id), []);
  await exits(3, t, ['judge', 'run/journal.ndjson'], { cwd });
  assert.equal(verdictIn(join(cwd, 'run'), 'CLIENT-4'), 'inconclusive');
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal}: exit 130, no process is left, and the journal is judgeable`, (t) =>
    unlessBusy(t, async () => {
      const { running, cwd, id } = await waiting(t);
      const before = performance.now();
      running.child.kill(signal);
      const { code, err } = await running.ended();
      const took = performance.now() - before;
      assert.equal(code, 130, err);
      assert.match(err, /Interrupted: [^\n]+petstore-conformance judge run\/journal\.ndjson\n$/);
      assert.deepEqual(processesWith(id), []);
      await assertCleanAndJudgeable(t, cwd, id);
      return took < 20_000 ? undefined : `it ended after ${Math.round(took)} ms`;
    }));
}

test('kill -9: no process of the client is left, and the journal is judgeable', async (t) => {
  const { running, cwd, id } = await waiting(t);
  running.child.kill('SIGKILL');
  await running.ended();
  await assertCleanAndJudgeable(t, cwd, id);
});

test('a client that fails at once: one sentence with what it printed, and exit code 2', async (t) => {
  const client = ['--', 'sh', '-c', 'echo no module named x >&2; exit 3'];
  const { err } = await exits(2, t, ['certify-client', ...client], { cwd: temporaryFolder(t) });
  assert.match(
    err,
    /\npetstore-conformance: .*sent no request: it exited with status 3\..*no module named x/,
  );
});

test('--dry-run says what a run would start, and starts nothing', async (t) => {
  const cwd = temporaryFolder(t);
  const { out } = await exits(0, t, ['certify-client', '--dry-run', '--jobs', '8', '--', 'sh', '--dry-run'], {
    cwd,
  });
  assert.match(out, /Client +sh --dry-run/);
  assert.match(out, /Starts +15; 3 more/);
  assert.match(out, /Duration +at most 2 min 26 s/);
  assert.match(out, /backoff-after-seconds +×3 +≤ 75 s/);
  assert.deepEqual(readdirSync(cwd), []);
});

test('--template prints a client to start from', async (t) => {
  const { out } = await exits(0, t, ['certify-client', '--template', 'python']);
  assert.match(out, /^import[\s\S]*PETSTORE_TARGET/m);
});

const HELD = 'Ctrl-C here ends the run';

/** The variables of a file of a shell with lines such as `export NAME='value'`. */
const exportsIn = (path: string): ReadonlyMap<string, string> =>
  new Map(
    [...readFileSync(path, 'utf8').matchAll(/^export (\w+)='?([^'\n]*)'?$/gm)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );

test('a client attached by hand: served, rate-limited, judged at Ctrl-C; the key is shown nowhere', async (t) => {
  const cwd = temporaryFolder(t);
  const running = start(t, ['certify-client', '--serve', '--out', 'run'], { cwd });
  await running.until(HELD);
  const file = /\n {2}\. (\S+client\.env)\n/.exec(running.printed().out)?.[1] ?? '';
  const variables = exportsIn(file);
  const key = variables.get('PETSTORE_API_KEY') ?? '';
  const target = variables.get('PETSTORE_TARGET') ?? '';
  assert.match(key, /^pk-/);
  const send = () => fetch(`${target}/categories`, { headers: { Authorization: `Bearer ${key}` } });
  const statuses: number[] = [];
  for (let at = 0; at < 3; at += 1) statuses.push((await send()).status);
  await delay(2050);
  statuses.push((await send()).status);
  assert.deepEqual(statuses, [200, 200, 429, 200]);
  running.child.kill('SIGINT');
  const { code, out, err } = await running.ended();
  assert.equal(code, 3, out + err);
  assert.ok(!existsSync(file));
  const verdict = (id: string) => verdictIn(join(cwd, 'run'), id);
  assert.equal(verdict('CLIENT-4'), 'inconclusive', 'no creation was seen');
  assert.equal(verdict('CLIENT-2'), 'not-tested');
  for (const text of [out, err, ...textsOf(join(cwd, 'run'))]) assert.ok(!text.includes(key));
});

test('no request at all: one sentence and exit code 2', async (t) => {
  const cwd = temporaryFolder(t);
  const running = start(t, ['certify-client', '--serve', '--out', 'run'], { cwd });
  await running.until(HELD);
  running.child.kill('SIGINT');
  const { code, err } = await running.ended();
  assert.equal(code, 2);
  assert.match(err, /The client sent no request/);
});

test('on Windows, which has no process groups, certify-client says so before it starts anything', (t) => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
  t.after(() => Object.defineProperty(process, 'platform', platform));
  Object.defineProperty(process, 'platform', { ...platform, value: 'win32' });
  assert.throws(() => settleClient({} as Parameters<typeof settleClient>[0], ['node', 'a.js'], new Date()), {
    name: 'UserError',
    message: /Windows does not have: run it in WSL or in a container/,
  });
});
