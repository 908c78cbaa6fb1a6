import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import type { PetstoreOptions } from '../options/table.ts';
import { configured, judgingSettings, playwrightOptions, settlePlaywrightRun } from './settings.ts';

const folder = temporaryFolder({ after });

const config = join(folder, 'petstore-conformance.json');
writeFileSync(
  config,
  JSON.stringify({
    target: 'staging',
    targets: {
      staging: {
        url: 'https://staging.example.com/v1',
        plan: 'pro',
        keys: { key: 'PETSTORE_STAGING_KEY', plans: { free: 'PETSTORE_FREE_KEY' } },
        headers: { 'X-Team': 'pets' },
        headerEnv: { 'X-Gateway': 'PETSTORE_GATEWAY' },
        baseline: 'known.json',
      },
      production: { url: 'https://api.example.com/v1' },
    },
    certify: { only: ['CREATE-4'], strict: true, out: 'results' },
  }),
);

const ENV = {
  PETSTORE_STAGING_KEY: 'key-k1',
  PETSTORE_FREE_KEY: 'key-k2',
  PETSTORE_GATEWAY: 'secret',
  PETSTORE_API_KEY: 'key-k3',
};

/** The settings of a run with these options and this file. */
function settings(given: PetstoreOptions, env: Readonly<Record<string, string>> = {}) {
  const all = { ...ENV, ...env };
  const options = configured(playwrightOptions({ config, ...given }), all);
  const { target, run } = settlePlaywrightRun(options, all);
  return { ...options, target, run, judging: judgingSettings(options.values) };
}

describe('the configuration file of the command, under Playwright', () => {
  test('gives target, keys, headers and settings', () => {
    const { sentence, target, run, judging } = settings({});
    assert.equal(
      sentence,
      `Configuration: ${config}, target "staging". https://staging.example.com/v1 receives the values of PETSTORE_STAGING_KEY, PETSTORE_FREE_KEY, PETSTORE_GATEWAY.`,
    );
    assert.equal(target.baseUrl.href, 'https://staging.example.com/v1');
    assert.equal(run.plan.inputs.plan, 'pro');
    assert.deepEqual(target.keys, { key: 'key-k1', plans: { free: 'key-k2' } });
    assert.deepEqual(target.headers, [
      ['X-Team', 'pets'],
      ['X-Gateway', 'secret'],
    ]);
    assert.deepEqual(run.selection?.requirements, ['CREATE-4']);
    assert.deepEqual(
      [judging.strict, judging.folder, judging.baseline],
      [true, join(folder, 'results'), join(folder, 'known.json')],
    );
  });

  test('gives way to options, and to variables', () => {
    const { target, run, judging } = settings(
      { plan: 'business', quick: true },
      { PETSTORE_HEADERS: 'X-Team: cats', PETSTORE_OUT: 'elsewhere', PETSTORE_STRICT: '0' },
    );
    assert.equal(run.plan.inputs.plan, 'business');
    assert.equal(run.selection?.kind, 'quick', 'quick states what "only" of the file would');
    assert.deepEqual(target.headers[0], ['X-Team', 'cats']);
    assert.deepEqual([judging.folder, judging.strict], ['elsewhere', false]);
  });

  test('has its other targets by name; an address is none of them', () => {
    for (const [given, env] of [
      [{ target: 'production' }, {}],
      [{}, { PETSTORE_TARGET: 'production' }],
    ] as const) {
      assert.equal(settings(given, env).target.baseUrl.href, 'https://api.example.com/v1');
    }
    const { target, run, sentence } = settings({ target: 'https://other.example.com/v1' });
    assert.deepEqual([target.keys.key, run.plan.inputs.plan], ['key-k3', 'free']);
    assert.equal(sentence, `Configuration: ${config}.`);
    assert.throws(() => settings({ target: 'stagin' }), /no target "stagin".*Did you mean "staging"\?/);
  });

  test('is not read for a recorded run, nor where it is switched off', () => {
    const { values } = configured({ config, journal: 'journal.ndjson' }, ENV);
    assert.deepEqual(values, { config, journal: 'journal.ndjson' });
    assert.deepEqual(configured({}, { PETSTORE_CONFIG: config }).values.plan, 'pro');
    assert.deepEqual(configured({ config: false }, { PETSTORE_CONFIG: config }).values, { config: false });
  });
});
