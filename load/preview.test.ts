import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { limitsOf, loadPlans } from '../spec/plans.ts';
import type { ProfileInputs } from './model/profile.ts';
import type { Preview } from './preview.ts';
import { previewProfile } from './preview.ts';
import { scenarioRequests } from './profiles/arithmetic.ts';
import type { ProfileId } from './profiles/index.ts';
import { findProfile, profiles } from './profiles/index.ts';
import { defaultSoak } from './profiles/over-time.ts';

const plans = loadPlans();

function preview(id: ProfileId, plan = 'free', fleet = 1): Preview {
  const limits = limitsOf(plans, plan);
  return previewProfile(findProfile(id), { limits, fleet, minutes: defaultSoak(limits) });
}

const [minute, day] = [60, 1000];
const rounded = (value: number): number => Math.round(value * 100) / 100;

/** For Free: requests of the first key, most in a minute, rate per second, concurrency, seconds, seconds after recent use. */
const ROWS: Readonly<Record<ProfileId, readonly number[]>> = {
  smoke: [10, 10, 2, 1, 4.55, 4.55],
  under: [109, 54, 0.9, 1, 120.05, 241.05],
  'at-limit': [60, 60, 0, 1, 3, 124],
  'over-limit': [65, 65, 0, 6, 2.9, 123.9],
  recovery: [67, 67, 0, 6, 64, 185],
  backoff: [182, 63, 0, 1, 131.3, 252.3],
  offender: [87, 87, 4, 6, 180.05, 301.05],
  isolation: [65, 65, 0, 6, 180.05, 301.05],
  'day-quota': [1003, 54, 0.9, 1, 1113.38, 1234.38],
  soak: [541, 54, 0.9, 1, 600.05, 721.05],
  spike: [57, 56, 0.33, 6, 60.35, 181.35],
  breakpoint: [110, 50, 0.9, 1, 281.61, 402.61],
  capacity: [109, 54, 0.9, 1, 120.05, 241.05],
  plans: [65, 65, 0, 6, 32.9, 153.9],
};

describe('the preview of each profile for a Free key', () => {
  for (const { id } of profiles) {
    test(id, () => {
      const { keys, seconds } = preview(id);
      const [first] = keys;
      assert.ok(first !== undefined);
      const { requests, mostInMinute, peak } = first;
      const row = [
        requests,
        mostInMinute,
        peak.perSecond,
        peak.concurrency,
        seconds.expected,
        seconds.afterRecentUse,
      ];
      assert.deepEqual(row.map(rounded), ROWS[id]);
      assert.equal(first.minuteShare, mostInMinute / minute);
      assert.equal(first.dayShare, requests / day);
    });
  }
});

test('the sums are those of the scenarios', () => {
  for (const profile of profiles) {
    for (const plan of ['free', 'pro', 'business']) {
      const limits = limitsOf(plans, plan);
      const inputs: ProfileInputs = { limits, fleet: 3, minutes: 2 };
      const { keys, requests } = previewProfile(profile, inputs);
      const scenarios = profile.scenarios(inputs);
      assert.deepEqual(
        keys.map((one) => [one.key, one.requests]),
        scenarios.map((scenario) => [scenario.key, scenarioRequests(scenario)]),
      );
      assert.equal(
        requests,
        scenarios.reduce((sum, scenario) => sum + scenarioRequests(scenario), 0),
      );
    }
  }
});

test('a fleet adds up: requests and peaks of all keys', () => {
  const [one, three] = [preview('spike', 'pro', 1), preview('spike', 'pro', 3)];
  assert.equal(three.requests, 3 * one.requests);
  assert.equal(three.peak.concurrency, 3 * one.peak.concurrency);
  assert.equal(rounded(three.peak.perSecond), rounded(3 * one.peak.perSecond));
  assert.deepEqual(three.seconds, one.seconds);
});

test('only smoke creates categories on the target', () => {
  const creating = profiles.filter(({ id }) => preview(id).creations > 0);
  assert.deepEqual(
    creating.map(({ id }) => id),
    ['smoke'],
  );
  assert.equal(preview('smoke').creations, 5);
});

test('only profiles with a ban risk exceed the limit per minute', () => {
  for (const { id, banRisk } of profiles) {
    const exceeds = preview(id).keys.some(({ minuteShare }) => minuteShare > 1);
    assert.equal(exceeds, banRisk !== 'none' && id !== 'day-quota', id);
  }
});
