import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { commandIn } from '../../evaluation/testing/cli/command.ts';
import { nodeClient, processesWith } from '../../evaluation/testing/clients/recorded.ts';
import { onBusyMachine } from '../../evaluation/testing/tools/busy-machine.ts';
import { settleClient } from './clients/settings.ts';

const unlessBusy = onBusyMachine();

test('the exemplary client passes a selected requirement; judge writes the same partial report again', async (t) => {
  const here = commandIn(t);
  const certified = await here.exits(0, 'certify-client --only CLIENT-4 --out run');
  assert.match(certified.out, /bundled exemplary client/);
  assert.match(certified.err, /wait-seconds 1: expects the next request at the earliest 3 s after the 429/);
  assert.equal(here.verdict('CLIENT-4'), 'pass');
  assert.equal(here.verdict('CLIENT-1'), 'not-tested');
  assert.match(certified.out, /✓ Partial run: 1 of \d+ requirements\. 1 passed/);
  await here.exits(0, 'judge run/journal.ndjson --out again');
  assert.deepEqual(here.names('again'), here.names('run'));
  assert.deepEqual(here.json('again/report.json'), here.json('run/report.json'));
});

test('a client that does not wait violates, and no file holds its key', async (t) => {
  const here = commandIn(t, { PETSTORE_DEBUG: '1' });
  // It makes its calls one after the other and never looks at a response.
  const hasty = nodeClient(`
    console.log('key', key);
    const { PETSTORE_CALLS = 1, PETSTORE_CREATES = 0 } = process.env;
    for (let at = 0; at < Number(PETSTORE_CALLS) + Number(PETSTORE_CREATES); at += 1) await list();`);
  const args = ['certify-client', '--only', 'CLIENT-1', '--out', 'run', '--', ...hasty];
  const { out, err } = await here.exits(1, args);
  assert.equal(here.verdict('CLIENT-1'), 'fail');
  assert.match(here.read('run/journal.ndjson'), /"output":"key \[key\]\\n"/);
  for (const text of [out, err, ...here.texts()]) assert.doesNotMatch(text, /pk-[\w-]{20}/);
});

test('Ctrl-C: exit 130, no process of the client is left, and the journal is judgeable', (t) =>
  unlessBusy(t, async () => {
    const here = commandIn(t);
    const id = randomUUID();
    const client = nodeClient(
      `process.on('SIGTERM', () => {}); await list(); setInterval(() => '${id}', 1000);`,
    );
    const args = ['certify-client', '--only', 'CLIENT-4', '--out', 'run', '--', ...client];
    const running = here.start(args);
    await running.until('at the earliest');
    const before = performance.now();
    running.child.kill('SIGINT');
    const { code, err } = await running.ended();
    const took = performance.now() - before;
    assert.equal(code, 130, err);
    assert.match(err, /Interrupted: [^\n]+petstore-conformance judge run\/journal\.ndjson\n$/);
    assert.deepEqual(processesWith(id), []);
    await here.exits(3, 'judge run/journal.ndjson');
    assert.equal(here.verdict('CLIENT-4'), 'inconclusive');
    return took < 20_000 ? undefined : `it ended after ${Math.round(took)} ms`;
  }));

test('--template prints a client to start from', async (t) => {
  const { out } = await commandIn(t).exits(0, 'certify-client --template python');
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
  const here = commandIn(t);
  const running = here.start('certify-client --serve --out run');
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
  assert.equal(here.verdict('CLIENT-4'), 'inconclusive', 'no creation was seen');
  assert.equal(here.verdict('CLIENT-2'), 'not-tested');
  for (const text of [out, err, ...here.texts()]) assert.ok(!text.includes(key));
});

test('no request at all: one sentence and exit code 2', async (t) => {
  const running = commandIn(t).start('certify-client --serve --out run');
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
