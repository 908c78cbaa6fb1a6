import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { plansFile } from '../../../evaluation/testing/cli/command.ts';
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

describe('the settings', () => {
  test('without a target the bundled server, with a minute that suits a demonstration', async () => {
    const { subject, inputs, demonstration } = await settingsFor('soak', {});
    assert.deepEqual([subject.kind, inputs.limits.minuteSeconds, inputs.fleet], ['bundled', 4, 2]);
    assert.equal(demonstration, true);
  });

  test('a target with the plans of the specification, or with those of a file', async (t) => {
    assert.equal((await settingsFor('at-limit', { target })).inputs.limits.minuteSeconds, 60);
    const plans = plansFile(temporaryFolder(t), 3);
    assert.equal(
      (await settingsFor('at-limit', { target, plans, plan: 'pro' })).inputs.limits.minuteSeconds,
      3,
    );
  });

  test('Enterprise by the numbers of a plan file', async (t) => {
    const plans = join(temporaryFolder(t), 'plans.json');
    const enterprise = { perMinute: 5000, perDay: 2_000_000 };
    writeFileSync(plans, JSON.stringify({ minuteSeconds: 60, daySeconds: 86_400, plans: { enterprise } }));
    assert.equal(
      (await settingsFor('at-limit', { target, plans, plan: 'enterprise' })).preview.requests,
      5000,
    );
  });

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

  test('how long a soak lasts', async () => {
    assert.equal((await settingsFor('soak', { target })).inputs.minutes, 10);
    assert.equal((await settingsFor('soak', { target, minutes: 16 })).preview.keys[0]?.requests, 865);
  });
});

describe('a file of keys with their plans', () => {
  const fileWith = (t: TestContext, text: string): string => {
    const path = join(temporaryFolder(t), 'keys.csv');
    writeFileSync(path, text);
    return path;
  };

  test('is the fleet: each key with the limits of its plan, in the preview as well', async (t) => {
    const keysFile = fileWith(t, `key,plan\n${KEY},free\npk-second,pro\n`);
    const options = { target, keysFile, minutes: 2 };
    const { inputs, keys, preview, subject } = await settingsFor('soak', options, { PETSTORE_API_KEY: '' });
    assert.deepEqual(fleetOf(keys), [KEY, 'pk-second']);
    assert.ok(subject.kind === 'target' && subject.access.keys.key === KEY);
    assert.deepEqual(
      inputs.fleetPlans?.map(({ plan }) => plan),
      ['free', 'pro'],
    );
    assert.deepEqual(
      preview.keys.map(({ requests, minuteShare }) => [requests, minuteShare]),
      [
        [109, 0.9],
        [541, 0.9],
      ],
    );
  });
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
