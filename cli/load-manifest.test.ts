import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, temporaryFolder } from '../evaluation/testing/cli/command.ts';
import { k6Path, withoutK6 } from '../evaluation/testing/tools/k6.ts';

const skip = withoutK6;
const TARGET = ['--target', 'https://staging.example.com/v1'];

test('load manifest writes a script and a run for each key, with the name of its Secret only', {
  skip,
}, async (t) => {
  const out = join(temporaryFolder(t), 'manifests');
  const keys = ['--keys', 'key=petstore-free-a,other=petstore-free-b/token'];
  const args = ['load', 'manifest', 'isolation', ...TARGET, ...keys, '--out', out];
  const { code, err } = await run(t, args, { env: { K6_BIN: k6Path } });
  assert.equal(code, 0, err);
  assert.deepEqual(readdirSync(out).sort(), [
    'petstore-load-isolation-key.configmap.yaml',
    'petstore-load-isolation-key.testrun.yaml',
    'petstore-load-isolation-other.configmap.yaml',
    'petstore-load-isolation-other.testrun.yaml',
  ]);
  const other = readFileSync(join(out, 'petstore-load-isolation-other.testrun.yaml'), 'utf8');
  assert.match(other, /name: SHARD\n\s+value: other/);
  assert.match(other, /secretKeyRef:\n\s+name: petstore-free-b\n\s+key: token/);
});

test('load manifest reports what is wrong, and never repeats the value of --keys', async (t) => {
  const wrong: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [
      ['isolation', ...TARGET, '--keys', 'pk_live_4711'],
      /^petstore-conformance: Part 1 of --keys must be NAME=SECRET/,
    ],
    [
      ['smoke', ...TARGET, '--keys', 'key=a', '--header-secret', 'X-Gateway=pk_live_4711'],
      /--header-secret takes 'Name=SECRET\/ENTRY'/,
    ],
    [
      ['smoke', ...TARGET, '--keys', 'key=a', '--header-secret', 'Host=a/b'],
      /--header-secret: the run sets Host itself/,
    ],
    [['smoke', ...TARGET, '--keys', 'key=a', '--ca', 'nowhere.pem'], /CA file nowhere\.pem cannot be read/],
    [['nothing', ...TARGET, '--keys', 'key=a'], /There is no profile "nothing"/],
    [['smoke', '--keys', 'key=a'], /Required option '--target <url>' not specified/],
  ];
  for (const [args, says] of wrong) {
    const { code, err } = await run(t, ['load', 'manifest', ...args]);
    assert.equal(code, 2);
    assert.match(err, says);
    assert.doesNotMatch(err, /4711/);
  }
});
