import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { plansFile } from '../../../evaluation/testing/cli/command.ts';
import { temporaryFolder } from '../../../evaluation/testing/tools/folder.ts';
import { fleetOf } from '../../../load/model/key-list.ts';
import { limitsOf, loadPlans } from '../../../spec/plans.ts';
import { EXIT, endingOf } from '../exit-code.ts';
import type { LoadOptions } from './settings.ts';
import { readCapacity, settleLoad } from './settings.ts';

const KEY = 'pk-Zx81aQm4Lw0vT9sRe3';
const target = 'https://staging.example.com/v1';
const env = { PETSTORE_API_KEY: KEY };
const settingsFor = (profile: string, options: Partial<LoadOptions>, more: Record<string, string> = {}) =>
  settleLoad(profile, { plan: 'free', ...options }, { ...env, ...more });

/** The sentence about an invalid input, and that input. */
type Mistake = readonly [
  message: RegExp,
  options?: Partial<LoadOptions> | undefined,
  profile?: string | undefined,
  env?: Record<string, string>,
];

const mistakes: Readonly<Record<string, Mistake>> = {
  'an unknown profile': [
    /no profile "over-limits"; the profiles are smoke, .*plans\. Did you mean "over-limit"\?/,
    undefined,
    'over-limits',
  ],
  'no key': [/PETSTORE_API_KEY is empty/, { target }, undefined, { PETSTORE_API_KEY: '' }],
  'isolation without another caller': [
    /isolation needs a key of another caller: .*PETSTORE_OTHER_KEY.*--other-key-env/,
    { target },
    'isolation',
  ],
  'offender without a disposable key': [
    /offender needs a key of the same plan that may get banned: .*--disposable-key-env/,
    { target },
    'offender',
  ],
  'one key for two callers': [
    /are the same: give each role a key of a different caller/,
    { target },
    'isolation',
    { PETSTORE_OTHER_KEY: KEY },
  ],
  'a fleet for one key': [
    /applies to soak, spike, breakpoint, capacity, plans only/,
    { target, fleetKeysEnv: 'F' },
  ],
  'a fleet without a target': [/--fleet-keys-file needs --target/, { fleetKeysFile: 'f' }, 'soak'],
  'a host without a target': [/--allow-host needs --target/, { allowHost: ['staging.example.com'] }],
  'a second target without a first': [/--against needs --target/, { against: target, repeat: 6 }],
  'a second target once': [/--against needs --repeat/, { target, against: target }],
  'a fleet twice': [/give one of them/, { target, fleetKeysEnv: 'F', fleetKeysFile: 'f' }, 'soak'],
  'a fleet in no variable': [
    /--fleet-keys-env names is empty or not set \(its name is not repeated/,
    { target, fleetKeysEnv: KEY },
    'soak',
  ],
  'a fleet in no file': [
    /nowhere cannot be read: there is no such file/,
    { target, fleetKeysFile: 'nowhere' },
    'soak',
  ],
  'a key twice in a fleet': [
    /Keys 2 and 4 of the fleet are the same/,
    { target },
    'soak',
    { PETSTORE_API_KEYS: 'key-a1,key-b2 key-a1' },
  ],
  'a key of a fleet that cannot be sent': [
    /^Key 3 of the fleet cannot be sent/,
    { target },
    'soak',
    { PETSTORE_API_KEYS: 'key-a1,schlüssel' },
  ],
  'minutes for anything but a soak': [/--minutes applies to soak only/, { minutes: 3 }],
  'more minutes than a day has requests': [
    /more than nine tenths of a key's day \(1,000 requests\): the longest soak under this plan is --minutes 16/,
    { minutes: 17 },
    'soak',
  ],
};

describe('invalid input produces one sentence and exit code 2', () => {
  for (const [name, [message, options = {}, profile = 'at-limit', more]] of Object.entries(mistakes)) {
    test(name, async () => {
      await assert.rejects(settingsFor(profile, options, more), (error) => {
        const { sentence = '', code } = endingOf(error);
        assert.equal(code, EXIT['no-run']);
        assert.match(sentence, message);
        assert.ok(!sentence.includes(KEY) && !sentence.startsWith('Unexpected'), sentence);
        return true;
      });
    });
  }
});

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

  test('what is wrong is said by line, without the key', async (t) => {
    const rows: readonly (readonly [profile: string, text: string, says: RegExp])[] = [
      ['soak', `${KEY}\npk-third\n${KEY}\n`, /^Lines 1 and 3 of .* hold the same key/],
      ['soak', `${KEY} and more\n`, /^The key in line 1 of .* cannot be sent in a header/],
      ['soak', '# none\n', /holds no key/],
      ['soak', `${KEY},gold\n`, /no plan "gold"/],
      ['capacity', `${KEY},free\n`, /^capacity takes keys of one plan/],
      ['plans', `${KEY},free\npk-third,free\n`, /^plans needs keys of at least two plans/],
      ['smoke', `${KEY}\n`, /^--keys-file applies to soak, spike, breakpoint, capacity, plans only/],
    ];
    for (const [profile, text, says] of rows) {
      const options = { target, keysFile: fileWith(t, text) };
      await assert.rejects(settingsFor(profile, options), (error: Error) => {
        assert.match(error.message, says);
        return !error.message.includes(KEY);
      });
    }
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

  for (const [name, options, message] of [
    ['a rate beyond the keys', { rate: '10' }, /10 requests a second are more than 2 keys .* use 11 keys/],
    ['random arrivals need more', { rate: '1.8', arrivals: 'poisson' }, /use \d+ keys or a lower --rate/],
    ['no rate', { rate: '0' }, /--rate takes/],
    ['no time', { duration: 'long' }, /--duration takes/],
    ['a ramp beyond the duration', { duration: '10s', ramp: '20s' }, /--ramp is longer/],
    ['no percentage', { creates: '101' }, /--creates takes/],
  ] as const) {
    test(`${name}: an error of one sentence`, () => {
      assert.throws(() => readCapacity(options, free, 2), { name: 'UserError', message });
    });
  }

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
