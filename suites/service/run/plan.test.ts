import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PARAMETERS } from '../../../interfaces/options/names.ts';
import { loadPlans } from '../../../spec/plans.ts';
import { furtherKeysIn } from '../wire/keyring.ts';
import type { RunOptions } from './run-settings.ts';
import { settleRun } from './run-settings.ts';

const { plans, ...windows } = loadPlans();

/** What a run of these options announces, for a limit per minute: requests with the key, at most, and seconds. */
const announced: readonly (readonly [RunOptions, number, withKey: number, most: number, seconds: number])[] =
  [
    [{}, 10, 61, 223, 540],
    [{}, 20, 75, 347, 360],
    [{}, 40, 95, 587, 300],
    [{}, 60, 62, 774, 60],
    [{}, 300, 302, 3654, 60],
    [{ quick: true }, 10, 18, 406, 60],
    [{ quick: true }, 60, 18, 406, 0],
    [{ only: 'CREATE' }, 20, 48, 946, 300],
    [{ only: 'CREATE' }, 60, 48, 946, 0],
    [{ thorough: true }, 20, 118, 530, 600],
    [{ thorough: true }, 60, 185, 1317, 300],
    [{ spendDay: true }, 60, 1001, 2739, 1106],
    [{ spendDay: true }, 300, 1001, 5359, 267],
  ];

for (const [options, perMinute, withKey, most, seconds] of announced) {
  test(`a run with ${JSON.stringify(options)} and a limit of ${perMinute} announces its cost`, () => {
    const free = { perMinute, perDay: 1000 };
    const { plan } = settleRun(options, {
      plans: { ...windows, plans: { ...plans, free } },
      furtherKeys: furtherKeysIn({ key: 'key', other: 'other' }),
      names: PARAMETERS,
    });
    assert.deepEqual(
      [plan.total.withKey, plan.mostWithKey, Math.round(plan.seconds)],
      [withKey, most, seconds],
    );
  });
}
