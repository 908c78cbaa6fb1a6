import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { selfSigned } from '../../evaluation/testing/cli/target.ts';
import { temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { assertPage } from '../../evaluation/testing/tools/page.ts';
import { UserError } from '../../kernel/basics/errors.ts';
import type { PetstoreOptions } from '../options/table.ts';
import { configured, judgingSettings, playwrightOptions, settlePlaywrightRun } from './settings.ts';

const folder = temporaryFolder({ after });

const fileWith = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

type Variables = Readonly<Record<string, string | undefined>>;

const TARGET = { PETSTORE_TARGET: 'https://api.example.com/v1/', PETSTORE_API_KEY: 'key-no-1' };

const CONFIGURED_KEYS = {
  PETSTORE_STAGING_KEY: 'key-k1',
  PETSTORE_FREE_KEY: 'key-k2',
  PETSTORE_GATEWAY: 'secret',
  PETSTORE_API_KEY: 'key-k3',
};

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

/** What a project is given, by options and by variables. */
const PROJECTS: Readonly<Record<string, readonly [options: PetstoreOptions, variables: Variables]>> = {
  'every variable': [
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
      PETSTORE_CA_FILE: fileWith('ca.pem', selfSigned.cert),
      PETSTORE_HEADERS: 'X-Tenant: staging\nX-Gateway: secret:1\n',
      PETSTORE_OPENAPI: 'https://api.example.com/openapi.json',
      PETSTORE_NAME_PATTERN: 'Category {id}',
      PETSTORE_EXCLUSIVE_KEY: '1',
      PETSTORE_THOROUGH: '1',
      PETSTORE_SPEND_DAY: 'yes',
      HTTPS_PROXY: 'http://proxy.example.com:3128',
    },
  ],
  'the target and the key alone': [{}, { ...TARGET, PETSTORE_OTHER_KEY: '', PETSTORE_EXCLUSIVE_KEY: 'no' }],
  'options, which count before variables': [
    {
      target: 'https://shop.example.com/v1',
      apiKeyEnv: 'SHOP_KEY',
      planKeys: { pro: 'PRO_KEY' },
      headers: { 'X-Tenant': 'shop' },
      headerEnv: { 'X-Gateway': 'GATEWAY' },
      thorough: false,
      only: ['CREATE', 'AUTH-1'],
      skip: 'CREATE-1',
    },
    {
      ...TARGET,
      PETSTORE_API_KEY_FILE: 'nowhere',
      PETSTORE_THOROUGH: '1',
      PETSTORE_EXCLUSIVE_KEY: '1',
      SHOP_KEY: 'key-no-7',
      PRO_KEY: 'key-no-8',
      GATEWAY: 'secret:2',
    },
  ],
  'an option with a mistake': [{ target: 'api.example.com' }, TARGET],
  'a quick run': [{}, { ...TARGET, PETSTORE_QUICK: '1', PETSTORE_SKIP: 'AUTH' }],
  'a quick and thorough run': [{}, { ...TARGET, PETSTORE_QUICK: '1', PETSTORE_THOROUGH: '1' }],
  'no target': [{}, { ...TARGET, PETSTORE_TARGET: undefined }],
  'no key': [{}, { ...TARGET, PETSTORE_API_KEY: undefined }],
  ...Object.fromEntries(
    [
      ...['PETSTORE_TARGET', 'PETSTORE_CA_FILE', 'PETSTORE_HEADERS', 'PETSTORE_HEADER_ENV'],
      ...['PETSTORE_CERT_FILE', 'PETSTORE_PLAN_KEYS', 'PETSTORE_API_KEY_FILE', 'PETSTORE_ONLY'],
      ...['PETSTORE_NAME_PATTERN', 'HTTPS_PROXY'],
    ].map((name) => [`a mistake in ${name}`, [{}, { ...TARGET, [name]: 'nowhere' }]]),
  ),
  'the configuration file of the command': [{ config }, CONFIGURED_KEYS],
  'the file, and options and variables before it': [
    { config, plan: 'business', quick: true },
    {
      ...CONFIGURED_KEYS,
      PETSTORE_HEADERS: 'X-Team: cats',
      PETSTORE_OUT: 'elsewhere',
      PETSTORE_STRICT: '0',
    },
  ],
  'another target of the file': [{ config, target: 'production' }, CONFIGURED_KEYS],
  'the same by its variable': [{ config }, { ...CONFIGURED_KEYS, PETSTORE_TARGET: 'production' }],
  'an address, which is none of its targets': [
    { config, target: 'https://other.example.com/v1' },
    CONFIGURED_KEYS,
  ],
  'a misspelt target of the file': [{ config, target: 'stagin' }, CONFIGURED_KEYS],
  'the file by its variable': [{}, { ...CONFIGURED_KEYS, PETSTORE_CONFIG: config }],
  'the file switched off': [{ config: false }, { ...CONFIGURED_KEYS, PETSTORE_CONFIG: config }],
};

/** What is settled for a project, or the sentence that says why nothing is. */
function settled([given, variables]: (typeof PROJECTS)[string]): readonly string[] {
  try {
    const options = configured(playwrightOptions(given), variables);
    const { target, run } = settlePlaywrightRun(options, variables);
    const { plan, namePattern, exclusiveKey, thorough, spendDay } = run.plan.inputs;
    const all = {
      ...target,
      ...{ openapi: run.openapi, plan, namePattern, exclusiveKey, thorough, spendDay },
      selection: run.selection && `${run.selection.kind}: ${run.selection.requirements.join(', ')}`,
      ...judgingSettings(options.values),
    };
    return [
      ...(options.sentence === undefined ? [] : [options.sentence]),
      ...Object.entries(all)
        .filter(([, value]) => value !== undefined && value !== false)
        .map(([name, value]) => `${name}: ${JSON.stringify(value).replaceAll(/^"|"$/g, '')}`),
    ];
  } catch (error) {
    assert.ok(error instanceof UserError, String(error));
    return [error.message];
  }
}

test('what the options and variables of a project settle, and the sentence on each mistake', () => {
  const page = Object.entries(PROJECTS).map(([name, project]) =>
    [name, ...settled(project).map((line) => `  ${line}\n`)].join('\n').replaceAll('\n\n', '\n'),
  );
  const stated = page
    .join('\n')
    .replaceAll(folder, '~')
    .replaceAll(JSON.stringify(selfSigned.cert).slice(1, -1), 'CERTIFICATE');
  assertPage('interfaces/playwright/settings.txt', stated);
});

test('the configuration file is not read for a recorded run', () => {
  const { values } = configured({ config, journal: 'journal.ndjson' }, CONFIGURED_KEYS);
  assert.deepEqual(values, { config, journal: 'journal.ndjson' });
});
