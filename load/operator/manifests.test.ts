import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'yaml';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { assertPage } from '../../evaluation/testing/tools/page.ts';
import { findTool } from '../../tools/tools.ts';
import { profiles } from '../profiles/index.ts';
import type { Deployment } from './manifests.ts';
import { bundleScript, COPY_SCRIPT, operatorManifests } from './manifests.ts';

const { path: check, skip } = await findTool('operator-check');

const deployment = (more: Partial<Deployment> = {}): Deployment => ({
  profile: 'soak',
  environment: { TARGET: 'https://staging.example.com/v1', PROFILE: 'soak', LIMITS: '{"perMinute":60}' },
  secrets: {},
  keysSecret: { name: 'petstore-keys', entry: 'keys.csv' },
  runners: 4,
  script: 'export const options = {};',
  storage: { kind: 'claim', claim: 'petstore-samples' },
  namespace: 'load',
  prometheus: 'http://prometheus.monitoring:9090/api/v1/write',
  ...more,
});

const SEVERAL_KEYS: Partial<Deployment> = {
  profile: 'isolation',
  runners: 1,
  secrets: {
    key: { name: 'petstore-a', entry: 'api-key' },
    other: { name: 'petstore-b', entry: 'token' },
  },
  storage: { kind: 's3', path: 'bucket/runs', secret: 'petstore-s3' },
};

/** The settings for a target behind a gateway. */
const GATEWAY: Partial<Deployment> = {
  headers: [['X-Cost', '$(echo 5) $']],
  secretHeaders: [{ name: 'X-Gateway', secret: { name: 'petstore-gateway', entry: 'token' } }],
  ca: '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n',
};

const asYaml = (manifests: readonly unknown[]): string =>
  manifests.map((one) => stringify(one)).join('\n---\n');

/** Decodes the manifests with the operator's own types: their kinds and names, or the error. */
function decode(manifests: readonly unknown[]) {
  const { status, stdout, stderr } = spawnSync(check, { input: asYaml(manifests), encoding: 'utf8' });
  return { status, names: stdout.trim().split('\n'), stderr };
}

describe('the manifests for the operator', () => {
  const rows: readonly (readonly [name: string, more: Partial<Deployment>])[] = [
    ['a fleet with a volume', {}],
    ['several keys with storage that speaks S3', SEVERAL_KEYS],
    ['a gateway', GATEWAY],
  ];
  for (const [name, more] of rows) {
    test(`${name}: the operator's own types accept every field; one script and one run`, { skip }, () => {
      const { status, names, stderr } = decode(operatorManifests(deployment(more)));
      assert.equal(status, 0, stderr);
      const { profile } = deployment(more);
      assert.deepEqual(names, [`ConfigMap petstore-load-${profile}`, `TestRun petstore-load-${profile}`]);
    });
  }

  test('the check is strict: a field that the operator does not know is rejected', { skip }, () => {
    const [script, run] = operatorManifests(deployment()) as [object, { readonly spec: object }];
    const { status, stderr } = decode([script, { ...run, spec: { ...run.spec, args: ['--quiet'] } }]);
    assert.equal(status, 1);
    assert.match(stderr, /unknown field "args"/);
  });

  test('are those of the page: keys by reference alone, each variable before the one that refers to it', () => {
    const page = rows.map(([name, more]) => `# ${name}\n${asYaml(operatorManifests(deployment(more)))}`);
    assertPage('load/operator/manifests.txt', page.join('\n'));
  });

  test('a script too large for a ConfigMap is an error of one sentence', () => {
    const script = ' '.repeat(2 ** 20);
    assert.throws(() => operatorManifests(deployment({ script })), { name: 'UserError' });
  });

  test('the script is one file that imports nothing but k6, and every profile is in it', async () => {
    const script = await bundleScript();
    const imported = [...script.matchAll(/from"([^"]+)"/g)].map(([, module]) => module);
    assert.ok(imported.length > 0 && imported.every((module) => module?.startsWith('k6')), imported.join());
    for (const { description } of profiles) assert.ok(script.includes(description));
  });
});

test('the sidecar copies the samples once more when it is ended', { timeout: 20_000 }, async (t) => {
  const folder = temporaryFolder(t);
  const log = join(folder, 'log');
  const programs = { rclone: `echo "$@" >> ${log}`, sleep: '/bin/sleep 0.2' };
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const copies = (): readonly string[] =>
    existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  const child = spawn('sh', ['-c', COPY_SCRIPT], {
    env: { PATH: `${folder}:/bin:/usr/bin`, SAMPLES_PATH: 'bucket/runs', POD_NAME: 'pod-1' },
  });
  const closed = once(child, 'close');
  while (copies().length < 2) await delay(50);
  const before = copies().length;
  child.kill('SIGTERM');
  const [code] = (await closed) as [number];
  assert.equal(code, 0);
  assert.ok(copies().length > before, 'a last copy follows the signal');
  assert.equal(copies()[0], 'copy --local-no-check-updated --retries 5 /samples :s3:bucket/runs/pod-1');
});
