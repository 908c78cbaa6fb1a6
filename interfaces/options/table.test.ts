import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UserError } from '../../kernel/basics/errors.ts';
import { PROFILE_IDS } from '../../load/profiles/index.ts';
import { templates } from '../../suites/client/templates/index.ts';
import { environmentOptions, FLAGS, VARIABLES } from './command-line.ts';
import { givenOptions, isCounted, remaining } from './given.ts';
import type { LibraryOptions, PetstoreOptions } from './table.ts';
import { OPTION_NAMES, options, optionsOf } from './table.ts';

describe('the table of options', () => {
  test('names rivals and profiles that exist, and templates as they are', () => {
    const names: readonly string[] = OPTION_NAMES;
    const profiles: readonly string[] = PROFILE_IDS;
    for (const name of OPTION_NAMES) {
      for (const rival of options[name].rivals ?? []) assert.ok(names.includes(rival), `${name}: ${rival}`);
      for (const profile of options[name].profiles ?? []) assert.ok(profiles.includes(profile), profile);
    }
    const { template } = options;
    assert.deepEqual(
      template.kind === 'choice' && template.choices,
      templates.map(({ language }) => language),
    );
  });

  test('gives every option a flag, a variable and a place of its own', () => {
    const places = OPTION_NAMES.flatMap((name) => options[name].file ?? []);
    for (const all of [Object.values(FLAGS), Object.values(VARIABLES), places]) {
      assert.deepEqual(all, [...new Set(all)]);
    }
  });

  test('gives the library everything that needs no name of a secret, by its types as well', () => {
    const secret = ['variable', 'words'];
    for (const name of optionsOf('library')) assert.ok(!secret.includes(options[name].kind), name);
    const right: LibraryOptions = { quick: true, only: 'CREATE', headers: [['X-Tenant', 'a']] };
    // @ts-expect-error: a program has the key, so the library does not read a variable
    const variable: LibraryOptions = { apiKeyEnv: 'PETSTORE_API_KEY' };
    // @ts-expect-error: a switch is no text
    const text: LibraryOptions = { quick: 'yes' };
    // @ts-expect-error: misspelt
    const misspelt: PetstoreOptions = { quik: true };
    assert.deepEqual(givenOptions(right, 'library'), {
      ...right,
      only: ['CREATE'],
      headers: ['X-Tenant: a'],
    });
    for (const wrong of [variable, text]) assert.throws(() => givenOptions(wrong, 'library'), UserError);
    const wrongPlans = { plans: 5 };
    assert.throws(
      () => givenOptions(wrongPlans, 'playwright', { prefix: 'petstore.' }),
      /petstore\.plans takes an object/,
    );
    assert.throws(
      () => givenOptions(misspelt, 'playwright', { prefix: 'petstore.' }),
      /^UserError: There is no option petstore\.quik: .* Did you mean "quick"\?$/,
    );
  });
});

describe('layers of options', () => {
  test('a lower one gives way to the same option and to its rivals, unless they are off', () => {
    const file = { only: ['CREATE'], strict: true, apiKeyEnv: 'PETSTORE_A' };
    assert.deepEqual(remaining(file, { quick: true, strict: false, apiKeyFile: 'key' }), {});
    assert.deepEqual(remaining(file, { quick: false }), file);
    assert.ok(isCounted('only', {}));
  });

  test('the environment gives switches, lists, pairs and the variables of keys', () => {
    const given = environmentOptions({
      PETSTORE_QUICK: 'no',
      PETSTORE_ONLY: 'CREATE, AUTH-1',
      PETSTORE_PLAN_KEYS: 'pro=A, business=B',
      PETSTORE_EXHAUSTED_KEY: 'key-1',
      PETSTORE_DISPOSABLE_KEY: 'key-2',
      PETSTORE_CONFIG: '0',
      PETSTORE_OUT: '',
      PETSTORE_DRY_RUN: '1',
    });
    assert.deepEqual(given, {
      planKeys: ['pro=A', 'business=B'],
      exhaustedKeyEnv: 'PETSTORE_EXHAUSTED_KEY',
      disposableKeyEnv: 'PETSTORE_DISPOSABLE_KEY',
      only: ['CREATE', ' AUTH-1'],
      quick: false,
      config: false,
    });
  });
});
