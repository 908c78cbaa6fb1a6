import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { runHere } from '../../../evaluation/testing/cli/command.ts';
import { temporaryFolder } from '../../../evaluation/testing/tools/folder.ts';

const KEY = 'pk-Zx81aQm4Lw0vT9sRe3';
const TARGETS = {
  staging: {
    url: 'https://staging.example.com/v1',
    plan: 'pro',
    keys: { key: 'PETSTORE_STAGING_KEY', other: 'PETSTORE_SECOND_KEY', fleet: 'PETSTORE_FLEET' },
    headers: { 'X-Team': 'pets' },
    allowLoad: 'staging.example.com',
  },
  production: { url: 'https://api.example.com/v1', keys: { key: 'PETSTORE_PRODUCTION_KEY' } },
};
const env = {
  PETSTORE_STAGING_KEY: KEY,
  PETSTORE_SECOND_KEY: `${KEY}o`,
  PETSTORE_PRODUCTION_KEY: `${KEY}p`,
  PETSTORE_FLEET: `${KEY}1 ${KEY}2`,
};

/** Runs a command in a folder with this configuration, to its end with this exit code. */
async function configured(code: number, t: TestContext, config: unknown, args: readonly string[]) {
  const cwd = temporaryFolder(t);
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  writeFileSync(join(cwd, 'petstore-conformance.json'), text);
  const ended = await runHere(args, { cwd, env });
  assert.equal(ended.code, code, ended.err);
  return ended;
}

describe('a configuration file', { concurrency: 2 }, () => {
  test('gives certify its target, plan, keys and settings, and says so', async (t) => {
    const config = { target: 'staging', targets: TARGETS, certify: { only: ['CREATE-4'], out: 'results' } };
    const { out, err } = await configured(0, t, config, ['certify', '--dry-run']);
    assert.equal(
      err,
      'Configuration: petstore-conformance.json, target "staging". https://staging.example.com/v1 receives the values of PETSTORE_STAGING_KEY, PETSTORE_SECOND_KEY, PETSTORE_FLEET.\n',
    );
    assert.match(out, /https:\/\/staging\.example\.com\/v1/);
    assert.match(out, /\bpro\b/i);
    assert.match(out, /CREATE-4/);
  });

  test('gives way to options, and --target names another of its targets', async (t) => {
    const config = { target: 'staging', targets: TARGETS };
    const args = ['certify', '--target', 'production', '--plan', 'business', '--dry-run'];
    const { out, err } = await configured(0, t, config, args);
    assert.match(err, /target "production"/);
    assert.match(out, /https:\/\/api\.example\.com\/v1/);
    assert.match(out, /business/i);
  });

  test('is not meant where the bundled server is asked for, or with --no-config', async (t) => {
    const config = { target: 'staging', targets: TARGETS };
    for (const more of [['--fault', 'retry-after-absent'], ['--no-config']]) {
      const { out } = await configured(0, t, config, ['certify', ...more, '--dry-run']);
      assert.doesNotMatch(out, /staging/);
    }
  });

  test('gives load its target, its permission and thresholds; keys of a fleet only where they are used', async (t) => {
    const thresholds = [{ profile: 'at-limit', operation: 'list', p99: 500 }];
    const config = { targets: { staging: TARGETS.staging }, thresholds, load: { latencyMs: 900 } };
    for (const profile of ['at-limit', 'spike']) {
      const args = ['load', profile, '--target', 'staging', '--dry-run'];
      const { out } = await configured(0, t, config, args);
      assert.match(out, /staging\.example\.com/);
      assert.doesNotMatch(out, /authorized/);
    }
  });

  test('permits no load alone: the command line names the target or the host, and it forbids load alone', async (t) => {
    const { staging } = TARGETS;
    const load = ['load', 'at-limit', '--dry-run'];
    const unnamed = await configured(0, t, { targets: { staging } }, load);
    assert.match(unnamed.out, /^Blocked +Load on staging\.example\.com is not confirmed/m);
    assert.match(unnamed.err, /target "staging" \(its "allowLoad" counts with --target staging\)\. https:/m);
    const confirmed = await configured(0, t, { targets: { staging } }, [
      ...load,
      '--allow-host',
      'staging.example.com',
    ]);
    assert.doesNotMatch(confirmed.out, /authorized/);
    const forbidden = { staging: { ...staging, allowLoad: false } };
    await configured(0, t, { targets: forbidden }, ['certify', '--dry-run']);
  });

  test('gives certify-client its command', async (t) => {
    const config = { 'certify-client': { command: ['python3', 'client.py'], only: ['CLIENT-1'] } };
    const { out } = await configured(0, t, config, ['certify-client', '--dry-run']);
    assert.match(out, /python3 client\.py/);
    const given = await configured(0, t, config, ['certify-client', '--dry-run', '--', 'node', 'mine.mjs']);
    assert.match(given.out, /node mine\.mjs/);
  });

  test('is read with the line ends and the byte order mark of Windows', async (t) => {
    const config = { target: 'production', targets: TARGETS };
    const text = `\uFEFF${JSON.stringify(config, null, 2).replaceAll('\n', '\r\n')}\r\n`;
    await configured(0, t, text, ['certify', '--dry-run']);
  });

  test('is read from --config, and its paths are relative to it', async (t) => {
    const config = { targets: { one: { ...TARGETS.production, plans: 'missing.json' } } };
    const cwd = temporaryFolder(t);
    const file = join(cwd, 'other.json');
    writeFileSync(file, JSON.stringify(config));
    const { code, err } = await runHere(['certify', '--config', file], { env });
    assert.equal(code, 2);
    assert.ok(err.includes(join(cwd, 'missing.json')), err);
  });
});
