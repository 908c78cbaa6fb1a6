import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exits } from '../../evaluation/testing/cli/command.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';

const TARGET = ['--target', 'https://staging.example.com/v1'];
const CLAIM = ['--samples-claim', 'petstore-samples'];

test('load manifest writes a script, a run of all runners, and what the judge needs; no key is in them', async (t) => {
  const folder = temporaryFolder(t);
  const [out, keysFile] = [join(folder, 'manifests'), join(folder, 'keys.csv')];
  writeFileSync(keysFile, 'key,plan\npk_live_4711_a,free\npk_live_4711_b,pro\npk_live_4711_c\n');
  const keys = ['--keys-file', keysFile, '--keys-secret', 'petstore-keys', '--parallelism', '2'];
  const args = ['load', 'manifest', 'soak', ...TARGET, ...keys, ...CLAIM, '--out', out];
  const { out: printed } = await exits(0, t, args);
  assert.deepEqual(readdirSync(out).sort(), [
    'petstore-load-soak.configmap.yaml',
    'petstore-load-soak.testrun.yaml',
    'run',
  ]);
  const texts = [
    printed,
    ...['petstore-load-soak.configmap.yaml', 'petstore-load-soak.testrun.yaml', 'run/load-run.json'].map(
      (name) => readFileSync(join(out, name), 'utf8'),
    ),
  ];
  for (const text of texts) assert.ok(!text.includes('4711'));
  assert.match(texts[2] ?? '', /parallelism: 2\n/);
  const { runners, inputs } = JSON.parse(texts[3] ?? '') as {
    readonly runners: number;
    readonly inputs: { readonly fleetPlans: readonly { readonly plan: string; readonly keys: number }[] };
  };
  assert.equal(runners, 2);
  assert.deepEqual(
    inputs.fleetPlans.map(({ plan, keys: many }) => [plan, many]),
    [
      ['free', 1],
      ['pro', 1],
      ['free', 1],
    ],
  );
});

test('load manifest of several keys names their Secrets', async (t) => {
  const out = join(temporaryFolder(t), 'manifests');
  const keys = ['--keys', 'key=petstore-free-a,other=petstore-free-b/token'];
  await exits(0, t, ['load', 'manifest', 'isolation', ...TARGET, ...keys, ...CLAIM, '--out', out]);
  const testRun = readFileSync(join(out, 'petstore-load-isolation.testrun.yaml'), 'utf8');
  assert.match(testRun, /secretKeyRef:\n\s+name: petstore-free-b\n\s+key: token/);
});
