import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UserError } from '../../kernel/basics/errors.ts';
import { dayAllowance } from '../../kernel/usage-ledger/day-usage.ts';
import type { Limits } from '../../spec/plans.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import type { ProfileInputs } from '../model/profile.ts';
import { previewProfile } from '../preview.ts';
import { scenarioRequests } from './arithmetic.ts';
import { findProfile, PROFILE_IDS, profiles } from './index.ts';
import { defaultSoak, longestSoak } from './over-time.ts';

const plans = loadPlans();
const [free, pro, business] = ['free', 'pro', 'business'].map((name) => limitsOf(plans, name)) as [
  Limits,
  Limits,
  Limits,
];
const enterprise: Limits = { perMinute: 5000, perDay: 1_000_000, minuteSeconds: 60, daySeconds: 86_400 };
const small: Limits = { perMinute: 5, perDay: 1000, minuteSeconds: 2, daySeconds: 86_400 };
const inputsOf = (limits: Limits, more: Partial<ProfileInputs> = {}): ProfileInputs => ({
  limits,
  fleet: 2,
  minutes: defaultSoak(limits),
  ...more,
});

test('an unknown profile produces an error with the list and the nearest name', () => {
  assert.throws(() => findProfile('at-limits'), {
    name: UserError.name,
    message: `There is no profile "at-limits"; the profiles are ${PROFILE_IDS.join(', ')}. Did you mean "at-limit"?`,
  });
  assert.equal(findProfile('soak').id, 'soak');
});

describe('every limit, from 1 up', () => {
  const some = [1, 2, 3, 4, 5, 7, 9, 10, 11, 59, 60, 61, 300, 1000].flatMap((perMinute) =>
    [perMinute, perMinute + 1, 3 * perMinute, 1000 * perMinute].map((perDay) => ({
      ...free,
      perMinute,
      perDay,
    })),
  );
  const all = profiles.flatMap((profile) => some.map((limits) => ({ profile, limits })));

  test('every scenario starts with one preflight request, and all numbers are finite', () => {
    for (const { profile, limits } of all) {
      for (const { key, steps } of profile.scenarios(inputsOf(limits))) {
        const where = `${profile.id} ${key} at ${limits.perMinute} of ${limits.perDay}`;
        assert.deepEqual(
          steps.flatMap(({ kind }, at) => (kind === 'preflight' ? [at] : [])),
          [0],
          where,
        );
        const numbers = steps.flatMap((step) => Object.values(step).filter((one) => typeof one === 'number'));
        assert.ok(
          numbers.every((one) => Number.isFinite(one) && one >= 0),
          where,
        );
        const counts = steps.flatMap((step) => ('requests' in step ? [step.requests] : []));
        assert.ok(
          counts.every((one) => Number.isSafeInteger(one) && one > 0),
          where,
        );
      }
    }
  });

  test('no key has two scenarios', () => {
    for (const { profile, limits } of all) {
      const keys = profile.scenarios(inputsOf(limits)).map(({ key }) => key);
      assert.equal(new Set(keys).size, keys.length);
    }
  });

  test('under the plans of the specification only day-quota needs a whole day', () => {
    for (const limits of [free, pro, business, enterprise]) {
      const wholeDayProfiles = profiles.filter((one) =>
        previewProfile(one, inputsOf(limits)).needs.includes('whole day'),
      );
      assert.deepEqual(
        wholeDayProfiles.map(({ id }) => id),
        ['day-quota'],
      );
    }
  });
});

test('a soak of any length ends before nine tenths of the day are used', () => {
  for (const limits of [free, pro, business, small]) {
    const most = longestSoak(limits);
    const sent = (minutes: number): number =>
      Math.max(...findProfile('soak').scenarios(inputsOf(limits, { minutes })).map(scenarioRequests));
    assert.ok(sent(most) > 0.85 * limits.perDay && sent(1_000_000) <= dayAllowance(limits));
    assert.equal(defaultSoak(limits), Math.min(10, most));
  }
  assert.equal(longestSoak(free), 16);
});
