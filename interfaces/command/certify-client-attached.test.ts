import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { start, temporaryFolder, textsOf } from '../../evaluation/testing/cli/command.ts';

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
  const { requirements } = JSON.parse(readFileSync(join(cwd, 'run', 'report.json'), 'utf8'));
  const verdict = (id: string) => requirements.find((one: { id: string }) => one.id === id)?.verdict;
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
