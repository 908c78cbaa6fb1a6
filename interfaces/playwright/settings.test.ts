import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { certificate } from '../../evaluation/testing/cli/attested.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import type { OptionValues, PetstoreOptions } from '../options/table.ts';
import { configured, judgingSettings, playwrightOptions, settlePlaywrightRun } from './settings.ts';

const folder = temporaryFolder({ after });

const fileWith = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const settled = (given: OptionValues, env: NodeJS.ProcessEnv) =>
  settlePlaywrightRun(configured(given, env), env);

const TARGET = { PETSTORE_TARGET: 'https://api.example.com/v1/', PETSTORE_API_KEY: 'key-no-1' };

describe('the variables of the Playwright face', () => {
  test('reach a target in every way that the command can', () => {
    const { target, run } = settled(
      {},
      {
        ...TARGET,
        PETSTORE_API_KEY: undefined,
        PETSTORE_API_KEY_FILE: fileWith('key', 'key-no-1\n'),
        PETSTORE_OTHER_KEY: 'key-no-2',
        PETSTORE_EXHAUSTED_KEY: 'key-no-3',
        PETSTORE_DISPOSABLE_KEY: 'key-no-4',
        PETSTORE_PLAN_KEYS: 'pro=PRO_KEY, business=BUSINESS_KEY',
        PRO_KEY: 'key-no-5',
        BUSINESS_KEY: 'key-no-6',
        PETSTORE_CA_FILE: fileWith('ca.pem', certificate),
        PETSTORE_HEADERS: 'X-Tenant: staging\nX-Gateway: secret:1\n',
        PETSTORE_OPENAPI: 'https://api.example.com/openapi.json',
        PETSTORE_NAME_PATTERN: 'Category {id}',
        PETSTORE_EXCLUSIVE_KEY: '1',
        PETSTORE_THOROUGH: '1',
        PETSTORE_SPEND_DAY: 'yes',
        HTTPS_PROXY: 'http://proxy.example.com:3128',
      },
    );
    assert.deepEqual(target, {
      baseUrl: new URL('https://api.example.com/v1'),
      keys: {
        key: 'key-no-1',
        other: 'key-no-2',
        exhausted: 'key-no-3',
        disposable: 'key-no-4',
        plans: { pro: 'key-no-5', business: 'key-no-6' },
      },
      certificateAuthority: certificate,
      clientCertificate: undefined,
      headers: [
        ['X-Tenant', 'staging'],
        ['X-Gateway', 'secret:1'],
      ],
      proxied: true,
    });
    const url = new URL('https://api.example.com/openapi.json');
    assert.deepEqual(run.openapi, { kind: 'address', url, proxied: true });
    const { namePattern, exclusiveKey, thorough, spendDay } = run.plan.inputs;
    assert.equal(namePattern, 'Category {id}');
    assert.deepEqual([exclusiveKey, thorough, spendDay], [true, true, true]);
  });

  test('are optional but for the target and the key', () => {
    const { target, run } = settled(
      {},
      {
        ...TARGET,
        PETSTORE_OTHER_KEY: '',
        PETSTORE_EXCLUSIVE_KEY: 'no',
      },
    );
    assert.deepEqual(target.keys, { key: 'key-no-1' });
    assert.deepEqual([target.certificateAuthority, target.headers, target.proxied], [undefined, [], false]);
    const { plan, openapi, namePattern, exclusiveKey, thorough, spendDay } = run.plan.inputs;
    assert.deepEqual([plan, openapi, namePattern], ['free', undefined, undefined]);
    assert.deepEqual([exclusiveKey, thorough, spendDay], [false, false, false]);
  });

  test('have options that count before them, and whose name stands in the message', () => {
    const { target, run } = settled(
      playwrightOptions({
        target: 'https://shop.example.com/v1',
        apiKeyEnv: 'SHOP_KEY',
        planKeys: { pro: 'PRO_KEY' },
        headers: { 'X-Tenant': 'shop' },
        headerEnv: { 'X-Gateway': 'GATEWAY' },
        thorough: false,
        only: ['CREATE', 'AUTH-1'],
        skip: 'CREATE-1',
      }),
      {
        ...TARGET,
        PETSTORE_API_KEY_FILE: 'nowhere',
        PETSTORE_THOROUGH: '1',
        PETSTORE_EXCLUSIVE_KEY: '1',
        SHOP_KEY: 'key-no-7',
        PRO_KEY: 'key-no-8',
        GATEWAY: 'secret:2',
      },
    );
    assert.equal(target.baseUrl.host, 'shop.example.com');
    assert.deepEqual(target.keys, { key: 'key-no-7', plans: { pro: 'key-no-8' } });
    assert.deepEqual(target.headers, [
      ['X-Tenant', 'shop'],
      ['X-Gateway', 'secret:2'],
    ]);
    assert.deepEqual([run.plan.inputs.thorough, run.plan.inputs.exclusiveKey], [false, true]);
    const ids = run.selection?.requirements ?? [];
    assert.deepEqual([ids.includes('AUTH-1'), ids.includes('CREATE-1')], [true, false]);
    const wrong = { target: 'api.example.com' };
    assert.throws(() => settled(wrong, TARGET), /^UserError: petstore\.target is not a web/);
  });

  test('limit a run, too', () => {
    const quick = { ...TARGET, PETSTORE_QUICK: '1', PETSTORE_SKIP: 'AUTH' };
    assert.equal(settled({}, quick).run.selection?.kind, 'quick');
    const both = { ...quick, PETSTORE_THOROUGH: '1' };
    assert.throws(() => settled({}, both), /PETSTORE_THOROUGH needs a 429.*PETSTORE_QUICK/);
  });

  test('without a target or a key, say how to give one', () => {
    assert.throws(
      () => settled({}, { ...TARGET, PETSTORE_TARGET: undefined }),
      /^UserError: No target: set PETSTORE_TARGET to the base address/,
    );
    assert.throws(
      () => settled({}, { ...TARGET, PETSTORE_API_KEY: undefined }),
      /^UserError: No API key: put it into .* PETSTORE_API_KEY/,
    );
  });

  const mistakes: Readonly<Record<string, RegExp>> = {
    PETSTORE_TARGET: /^UserError: PETSTORE_TARGET is not a web address/,
    PETSTORE_CA_FILE: /The CA file nowhere cannot be read/,
    PETSTORE_HEADERS: /^UserError: PETSTORE_HEADERS takes 'Name: value'/,
    PETSTORE_HEADER_ENV: /^UserError: PETSTORE_HEADER_ENV takes 'Name=VAR'/,
    PETSTORE_CERT_FILE: /needs its private key: name the file with PETSTORE_CERT_KEY_FILE/,
    PETSTORE_PLAN_KEYS: /^UserError: PETSTORE_PLAN_KEYS takes PLAN=VAR/,
    PETSTORE_API_KEY_FILE: /The key file nowhere cannot be read/,
    PETSTORE_ONLY: /^UserError: PETSTORE_ONLY takes ids/,
    PETSTORE_NAME_PATTERN: /^UserError: PETSTORE_NAME_PATTERN takes a name/,
    HTTPS_PROXY: /HTTPS_PROXY does not hold the address of a proxy/,
  };
  for (const [variable, sentence] of Object.entries(mistakes)) {
    test(`with a mistake in ${variable} give one sentence that names it`, () => {
      assert.throws(() => settled({}, { ...TARGET, [variable]: 'nowhere' }), sentence);
    });
  }
});

const config = fileWith(
  'petstore-conformance.json',
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

const CONFIGURED_KEYS = {
  PETSTORE_STAGING_KEY: 'key-k1',
  PETSTORE_FREE_KEY: 'key-k2',
  PETSTORE_GATEWAY: 'secret',
  PETSTORE_API_KEY: 'key-k3',
};

/** The settings of a run with these options and this file. */
function settings(given: PetstoreOptions, env: Readonly<Record<string, string>> = {}) {
  const all = { ...CONFIGURED_KEYS, ...env };
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
    const { values } = configured({ config, journal: 'journal.ndjson' }, CONFIGURED_KEYS);
    assert.deepEqual(values, { config, journal: 'journal.ndjson' });
    assert.deepEqual(configured({}, { PETSTORE_CONFIG: config }).values.plan, 'pro');
    assert.deepEqual(configured({ config: false }, { PETSTORE_CONFIG: config }).values, { config: false });
  });
});
