import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../../evaluation/testing/tools/folder.ts';
import { fleetOf } from '../../../load/model/key-list.ts';
import { limitsOf, loadPlans } from '../../../spec/plans.ts';
import type { LoadOptions } from './settings.ts';
import { readCapacity, settleLoad } from './settings.ts';

const KEY = 'pk-Zx81aQm4Lw0vT9sRe3';
const target = 'https://staging.example.com/v1';
const env = { PETSTORE_API_KEY: KEY };
const settingsFor = (profile: string, options: Partial<LoadOptions>, more: Record<string, string> = {}) =>
  settleLoad(profile, { plan: 'free', ...options }, { ...env, ...more });

test('a fleet: the key under test first, whatever separates the others', async (t) => {
  const fleetKeysFile = join(temporaryFolder(t), 'keys');
  writeFileSync(fleetKeysFile, `key-a1\r\nkey-b2\n\n${KEY}\n`);
  const listed = await settingsFor('spike', { target, fleetKeysFile });
  assert.deepEqual(fleetOf(listed.keys), [KEY, 'key-a1', 'key-b2']);
  const { keys, inputs, preview } = await settingsFor(
    'spike',
    { target },
    { PETSTORE_API_KEYS: ' key-a1, key-b2 ' },
  );
  assert.deepEqual(fleetOf(keys), [KEY, 'key-a1', 'key-b2']);
  assert.deepEqual([inputs.fleet, preview.keys.length], [3, 3]);
  assert.deepEqual(fleetOf((await settingsFor('spike', { target })).keys), [KEY]);
});

test('a file of keys with their plans is the fleet, and its first key is under test', async (t) => {
  const keysFile = join(temporaryFolder(t), 'keys.csv');
  writeFileSync(keysFile, `key,plan\n${KEY},free\npk-second,pro\n`);
  const { inputs, keys, subject } = await settingsFor('soak', { target, keysFile }, { PETSTORE_API_KEY: '' });
  assert.deepEqual(fleetOf(keys), [KEY, 'pk-second']);
  assert.ok(subject.kind === 'target' && subject.access.keys.key === KEY);
  assert.deepEqual(
    inputs.fleetPlans?.map(({ plan }) => plan),
    ['free', 'pro'],
  );
});

const free = limitsOf(loadPlans(), 'free');

describe('the options of a capacity run', () => {
  test('are read with their units', () => {
    const options = { rate: '1.5', duration: '5m', ramp: '30s', creates: '12.5', arrivals: 'even' } as const;
    assert.deepEqual(readCapacity(options, free, 3), {
      ...{ perSecond: 1.5, seconds: 300, rampSeconds: 30, createShare: 0.125, arrivals: 'even' },
    });
  });

  test('have defaults within every limit', () => {
    const { perSecond, seconds } = readCapacity({}, free, 2);
    assert.deepEqual([perSecond.toFixed(2), seconds], ['1.80', 120]);
  });

  test('the number of keys in the sentence is enough', () => {
    for (const options of [{ rate: '10' }, { rate: '3', arrivals: 'poisson' }] as const) {
      let needed = 0;
      assert.throws(
        () => readCapacity(options, free, 2),
        (error: Error) => {
          needed = Number(/use (\d+) keys/.exec(error.message)?.[1]);
          return true;
        },
      );
      assert.equal(readCapacity(options, free, needed).perSecond, Number(options.rate));
    }
  });
});
