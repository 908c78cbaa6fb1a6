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

test('load manifest reports what is wrong, and never repeats the value of --keys', async (t) => {
  const out = ['--out', join(temporaryFolder(t), 'manifests')];
  const smoke = ['smoke', ...TARGET, ...out];
  const keysFile = join(temporaryFolder(t), 'keys.csv');
  writeFileSync(keysFile, 'pk_live_4711\npk_live_4712\npk_live_4711\n');
  const wrong: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [[...smoke, '--keys', 'pk_live_4711'], /^petstore-conformance: Part 1 of --keys must be NAME=SECRET/],
    [
      [...smoke, ...CLAIM, '--keys', 'key=a', '--header-secret', 'X-Gateway=pk_live_4711'],
      /--header-secret takes 'Name=SECRET\/ENTRY'/,
    ],
    [
      [...smoke, ...CLAIM, '--keys', 'key=a', '--header-secret', 'Host=a/b'],
      /--header-secret: the run sets Host itself/,
    ],
    [[...smoke, ...CLAIM, '--keys', 'key=a', '--ca', 'nowhere.pem'], /CA file nowhere\.pem cannot be read/],
    [[...smoke, '--keys', 'key=a'], /Name the storage for the samples: --samples-claim/],
    [[...smoke, '--keys', 'key=a', '--samples-s3', 'bucket'], /Name the storage for the samples/],
    [[...smoke, ...CLAIM], /uses the key key, but --keys names no Secret for it/],
    [['soak', ...TARGET, ...out, ...CLAIM], /soak uses a fleet: name the file of its keys with --keys-file/],
    [['soak', ...TARGET, ...out, '--keys-file', keysFile], /Lines 1 and 3 of .* hold the same key/],
    [['soak', ...TARGET, ...out, '--keys-secret', 'a'], /--keys-file and --keys-secret belong together/],
    [
      [...smoke, ...CLAIM, '--keys', 'key=a', '--parallelism', '2'],
      /--parallelism 2 is more than the 1 key of this run/,
    ],
    [['nothing', ...TARGET, ...out, '--keys', 'key=a'], /There is no profile "nothing"/],
    [['smoke', ...out, '--keys', 'key=a'], /Required option '--target <url>' not specified/],
  ];
  for (const [args, says] of wrong) {
    const { err } = await exits(2, t, ['load', 'manifest', ...args]);
    assert.match(err, says);
    assert.doesNotMatch(err, /4711/);
  }
});
