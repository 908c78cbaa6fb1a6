import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { findOperatorCheck } from '../../tools/operator-check.ts';
import type { KeyAlias } from '../model/profile.ts';
import { profiles } from '../profiles/index.ts';
import type { Deployment, SecretReference } from './manifests.ts';
import { ManifestError, operatorManifests } from './manifests.ts';

const check = await findOperatorCheck();
const skip = check.kind === 'missing' && check.advice;
const inputs = { limits: limitsOf(loadPlans(), 'free'), fleet: 3, minutes: 2 };

function deployment(profile: (typeof profiles)[number], more: Partial<Deployment> = {}): Deployment {
  const scenarios = profile.scenarios(inputs);
  const secrets: Partial<Record<KeyAlias, SecretReference>> = Object.fromEntries(
    scenarios.map(({ key }) => [key, { name: `petstore-${key}`, entry: 'api-key' }]),
  );
  return {
    profile: profile.id,
    scenarios,
    environment: {
      TARGET: 'https://staging.example.com/v1',
      PROFILE: profile.id,
      ...(scenarios.some(({ key }) => key.startsWith('fleet-')) ? { FLEET: '3' } : {}),
    },
    secrets,
    archives: Object.fromEntries(scenarios.map(({ key }) => [key, Buffer.from(`the script of ${key}`)])),
    namespace: 'load',
    prometheus: 'http://prometheus.monitoring:9090/api/v1/write',
    ...more,
  };
}

/** Decodes the manifests with the operator's own types: their kinds and names, or the error. */
function decode(manifests: readonly unknown[]) {
  assert.ok(check.kind === 'found');
  const input = manifests.map((one) => stringify(one)).join('\n---\n');
  const { status, stdout, stderr } = spawnSync(check.path, { input, encoding: 'utf8' });
  return { status, names: stdout.trim().split('\n'), stderr };
}

for (const profile of profiles) {
  test(`${profile.id}: the operator's own types accept every field, and each key has one runner`, {
    skip,
  }, () => {
    const planned = deployment(profile);
    const { status, names, stderr } = decode(operatorManifests(planned));
    assert.equal(status, 0, stderr);
    const expected = planned.scenarios.flatMap(({ key }) =>
      ['ConfigMap', 'TestRun'].map((kind) => `${kind} petstore-load-${profile.id}-${key}`),
    );
    assert.deepEqual(names, expected);
  });
}

test('the check is strict: a field that the operator does not know is rejected', { skip }, () => {
  const [profile] = profiles;
  assert.ok(profile !== undefined);
  const [script, run] = operatorManifests(deployment(profile)) as [object, { readonly spec: object }];
  const { status, stderr } = decode([script, { ...run, spec: { ...run.spec, args: ['--quiet'] } }]);
  assert.equal(status, 1);
  assert.match(stderr, /unknown field "args"/);
});

test('every runner has one process, a pinned image, its own shard, and its key by reference', () => {
  for (const profile of profiles) {
    const runs = operatorManifests(deployment(profile)).filter(({ kind }) => kind === 'TestRun');
    for (const [at, manifest] of runs.entries()) {
      const { spec } = manifest as {
        readonly spec: {
          readonly parallelism: number;
          readonly runner: {
            readonly image: string;
            readonly env: readonly Readonly<Record<string, unknown>>[];
          };
        };
      };
      const key = profile.scenarios(inputs)[at]?.key;
      assert.equal(spec.parallelism, 1);
      assert.match(spec.runner.image, /^grafana\/k6:\d+\.\d+\.\d+$/);
      const { env } = spec.runner;
      assert.ok(env.some(({ name, value }) => name === 'SHARD' && value === key));
      assert.ok(env.some(({ name, value }) => name === 'K6_NO_USAGE_REPORT' && value === 'true'));
      assert.deepEqual(
        env.filter(({ name }) => /KEY/.test(String(name))),
        [
          {
            name: 'PETSTORE_API_KEY',
            valueFrom: { secretKeyRef: { name: `petstore-${key}`, key: 'api-key' } },
          },
        ],
      );
      assert.equal(
        env.some(({ name, value }) => name === 'FLEET' && value === '3'),
        key?.startsWith('fleet-'),
      );
    }
  }
});

/** The settings for a target behind a gateway. */
const GATEWAY: Partial<Deployment> = {
  headers: [['X-Cost', '$(echo 5) $']],
  secretHeaders: [{ name: 'X-Gateway', secret: { name: 'petstore-gateway', entry: 'token' } }],
  ca: '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n',
};

test('a gateway: its headers, a secret by reference, and its authorities beside the script', () => {
  const [profile] = profiles;
  assert.ok(profile !== undefined);
  const [script, run] = operatorManifests(deployment(profile, GATEWAY)) as [
    { readonly data: unknown },
    { readonly spec: { readonly runner: { readonly env: readonly { readonly name: string }[] } } },
  ];
  assert.deepEqual(script.data, { 'ca.pem': GATEWAY.ca });
  const { env } = run.spec.runner;
  assert.deepEqual(
    env.filter(({ name }) => /^(?:SSL|PETSTORE_HEADER)/.test(name)),
    [
      { name: 'SSL_CERT_FILE', value: '/test/ca.pem' },
      {
        name: 'PETSTORE_HEADER_1',
        valueFrom: { secretKeyRef: { name: 'petstore-gateway', key: 'token' } },
      },
      { name: 'PETSTORE_HEADERS', value: 'X-Cost: $$(echo 5) $$\nX-Gateway: $(PETSTORE_HEADER_1)' },
    ],
    'a variable comes before the one that refers to it, and every other $ is escaped',
  );
});

test("the operator's own types accept the fields for a gateway", { skip }, () => {
  const [profile] = profiles;
  assert.ok(profile !== undefined);
  const { status, stderr } = decode(operatorManifests(deployment(profile, GATEWAY)));
  assert.equal(status, 0, stderr);
});

test('a key without a Secret and a script too large for a ConfigMap are errors of one sentence', () => {
  const [profile] = profiles;
  assert.ok(profile !== undefined);
  assert.throws(() => operatorManifests(deployment(profile, { secrets: {} })), ManifestError);
  const archives = { key: new Uint8Array(2 ** 20) };
  assert.throws(() => operatorManifests(deployment(profile, { archives })), /take 1048576 bytes/);
});
