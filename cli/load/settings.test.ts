import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { plansFile, temporaryFolder } from '../../evaluation/testing/cli/command.ts';
import { endingOf } from '../errors.ts';
import { EXIT } from '../exit-code.ts';
import type { LoadOptions } from './settings.ts';
import { settleLoad } from './settings.ts';

const KEY = 'pk-Zx81aQm4Lw0vT9sRe3';
const target = 'https://staging.example.com/v1';
const env = { PETSTORE_API_KEY: KEY };
const settle = (profile: string, options: Partial<LoadOptions>, more: Record<string, string> = {}) =>
  settleLoad(profile, { plan: 'free', ...options }, { ...env, ...more });

/** What is wrong, and what the one sentence must say. */
interface Mistake {
  readonly profile?: string;
  readonly options?: Partial<LoadOptions>;
  readonly env?: Record<string, string>;
  readonly says: RegExp;
}

const mistakes: Readonly<Record<string, Mistake>> = {
  'an unknown profile': {
    profile: 'over-limits',
    says: /no profile "over-limits"; there are smoke, .*breakpoint\. Did you mean "over-limit"\?/,
  },
  'an unknown plan': { options: { plan: 'pr' }, says: /no plan "pr"; .*Did you mean "pro"/ },
  'Enterprise without numbers': { options: { plan: 'enterprise' }, says: /by agreement.*--plans/ },
  'no key': { options: { target }, env: { PETSTORE_API_KEY: '' }, says: /PETSTORE_API_KEY is empty/ },
  'a key where a name belongs': { options: { target, apiKeyEnv: KEY }, says: /takes the NAME/ },
  'isolation without another caller': {
    profile: 'isolation',
    options: { target },
    says: /isolation needs a key of another caller: .*PETSTORE_OTHER_KEY.*--other-key-env/,
  },
  'an offender without a key to lose': {
    profile: 'offender',
    options: { target },
    says: /offender needs a key of the same plan that may be banned: .*--disposable-key-env/,
  },
  'one key for two callers': {
    profile: 'isolation',
    options: { target },
    env: { PETSTORE_OTHER_KEY: KEY },
    says: /are the same: each must belong to a caller of its own/,
  },
  'a fleet for one key': { options: { target, fleetKeysEnv: 'F' }, says: /is for soak, spike, breakpoint/ },
  'a fleet without a target': {
    profile: 'soak',
    options: { fleetKeysFile: 'f' },
    says: /--fleet-keys-file needs --target/,
  },
  'a host without a target': {
    options: { iMayLoad: ['staging.example.com'] },
    says: /--i-may-load needs --target/,
  },
  'a fleet twice': {
    profile: 'soak',
    options: { target, fleetKeysEnv: 'F', fleetKeysFile: 'f' },
    says: /give one of them/,
  },
  'a fleet in no variable': {
    profile: 'soak',
    options: { target, fleetKeysEnv: KEY },
    says: /--fleet-keys-env names is not set, or empty \(its name is not repeated/,
  },
  'a fleet in no file': {
    profile: 'soak',
    options: { target, fleetKeysFile: 'nowhere' },
    says: /nowhere, cannot be read: there is no such file/,
  },
  'a key twice in a fleet': {
    profile: 'soak',
    options: { target },
    env: { PETSTORE_API_KEYS: 'a1,b2 a1' },
    says: /stands twice among those of the fleet \(at 2 and 4/,
  },
  'a key of a fleet that cannot be sent': {
    profile: 'soak',
    options: { target },
    env: { PETSTORE_API_KEYS: 'a1,schlüssel' },
    says: /^Key 3 of the fleet cannot be sent/,
  },
  'minutes for anything but a soak': { options: { minutes: '3' }, says: /--minutes is for soak/ },
  'minutes that are none': {
    profile: 'soak',
    options: { minutes: '1.5' },
    says: /a whole number of minutes/,
  },
  'no minutes': { profile: 'soak', options: { minutes: '0' }, says: /a whole number of minutes/ },
  'more minutes than a day has requests': {
    profile: 'soak',
    options: { minutes: '17' },
    says: /more than nine tenths of a key's day \(1,000 requests\): --minutes 16 is the longest/,
  },
  'a fault with a target': { options: { target, fault: 'list-206' }, says: /--fault is for the bundled/ },
  'a target that is none': { options: { target: 'staging' }, says: /--target is not a web address/ },
};

describe('bad input gets one sentence and exit code 2', () => {
  for (const [name, { profile = 'at-limit', options = {}, env: more, says }] of Object.entries(mistakes)) {
    test(name, async () => {
      await assert.rejects(settle(profile, options, more), (error) => {
        const { sentence = '', code } = endingOf(error);
        assert.equal(code, EXIT.noRun);
        assert.match(sentence, says);
        assert.ok(!sentence.includes(KEY) && !sentence.startsWith('Unexpected'), sentence);
        return true;
      });
    });
  }
});

describe('what is settled', () => {
  test('without a target the bundled server, with a minute that suits a demonstration', async () => {
    const { subject, inputs, demonstration } = await settle('soak', {});
    assert.deepEqual([subject.kind, inputs.limits.minuteSeconds, inputs.fleet], ['bundled', 4, 2]);
    assert.equal(demonstration, true);
  });

  test('a target with the plans of the specification, or with those of a file', async (t) => {
    assert.equal((await settle('at-limit', { target })).inputs.limits.minuteSeconds, 60);
    const plans = plansFile(temporaryFolder(t), 3);
    assert.equal((await settle('at-limit', { target, plans, plan: 'pro' })).inputs.limits.minuteSeconds, 3);
  });

  test('Enterprise by the numbers of a plan file', async (t) => {
    const plans = join(temporaryFolder(t), 'plans.json');
    const enterprise = { perMinute: 5000, perDay: 2_000_000 };
    writeFileSync(plans, JSON.stringify({ minuteSeconds: 60, daySeconds: 86_400, plans: { enterprise } }));
    assert.equal((await settle('at-limit', { target, plans, plan: 'enterprise' })).preview.requests, 5000);
  });

  test('a fleet: the key itself first, however the others are written down', async (t) => {
    const fleetKeysFile = join(temporaryFolder(t), 'keys');
    writeFileSync(fleetKeysFile, `a1\r\nb2\n\n${KEY}\n`);
    assert.deepEqual((await settle('spike', { target, fleetKeysFile })).fleet, [KEY, 'a1', 'b2']);
    const { fleet, inputs, preview } = await settle('spike', { target }, { PETSTORE_API_KEYS: ' a1, b2 ' });
    assert.deepEqual(fleet, [KEY, 'a1', 'b2']);
    assert.deepEqual([inputs.fleet, preview.keys.length], [3, 3]);
    assert.deepEqual((await settle('spike', { target })).fleet, [KEY]);
  });

  test('how long a soak lasts', async () => {
    assert.equal((await settle('soak', { target })).inputs.minutes, 10);
    assert.equal((await settle('soak', { target, minutes: '16' })).preview.keys[0]?.requests, 865);
  });
});
