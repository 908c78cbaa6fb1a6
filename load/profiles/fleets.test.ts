import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { dueMsOf } from './arithmetic.ts';
import { findProfile } from './index.ts';

const [free, pro] = [limitsOf(loadPlans(), 'free'), limitsOf(loadPlans(), 'pro')];
const inputs = { limits: free, minutes: 10 };

describe('the keys of a fleet send in turn', () => {
  const fleet = 5;
  for (const id of ['soak', 'breakpoint'] as const) {
    test(`${id}: all keys begin each step together, and their requests are evenly spaced`, () => {
      const scenarios = findProfile(id).scenarios({ ...inputs, fleet });
      const withoutTurns = scenarios.map(({ steps }) => steps.map((step) => ({ ...step, turn: 0 })));
      assert.equal(new Set(withoutTurns.map((one) => JSON.stringify(one))).size, 1);
      for (const position of (scenarios[0]?.steps ?? []).keys()) {
        const steps = scenarios.flatMap(({ steps }) => steps[position] ?? []);
        const due = steps
          .flatMap((step) => (step.kind === 'paced' ? dueMsOf(step) : []))
          .sort((a, b) => a - b);
        const [step] = steps;
        if (step?.kind !== 'paced') continue;
        const apart = step.overMs / step.requests / fleet;
        assert.ok(due.every((at, n) => Math.abs(at - (n + 0.5) * apart) < 1e-6));
      }
    });
  }

  test('with keys of several plans, those of each plan are evenly spaced', () => {
    const fleetPlans = [
      { plan: 'free', limits: free, keys: 1 },
      { plan: 'pro', limits: pro, keys: 2 },
      { plan: 'free', limits: free, keys: 1 },
    ];
    const scenarios = findProfile('soak').scenarios({ ...inputs, fleet: 4, fleetPlans });
    assert.deepEqual(
      scenarios.map(({ steps }) => steps.flatMap((step) => (step.kind === 'paced' ? step.turn : []))),
      [[0.25], [0.25], [0.75], [0.75]],
    );
    assert.deepEqual(
      scenarios.map(({ steps }) => steps.flatMap((step) => (step.kind === 'rest' ? step.forMs : []))),
      [[1112], [1112], [1112], [1112]],
    );
  });
});

test('a spike has the same scenario for each key', () => {
  const scenarios = findProfile('spike').scenarios({ ...inputs, fleet: 3 });
  assert.deepEqual(
    scenarios.map(({ key }) => key),
    ['fleet-1', 'fleet-2', 'fleet-3'],
  );
  assert.equal(new Set(scenarios.map(({ steps }) => JSON.stringify(steps))).size, 1);
});
