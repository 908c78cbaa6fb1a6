import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import type { CapacityInputs } from '../model/profile.ts';
import { arrivalsOf, dueMsOf } from './arithmetic.ts';
import { findProfile } from './index.ts';
import { capacity } from './many-keys.ts';

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

const capacityInputs: CapacityInputs = {
  perSecond: 4,
  seconds: 10,
  rampSeconds: 0,
  createShare: 0.25,
  arrivals: 'even',
};

describe('the arrivals of a capacity run', () => {
  test('are evenly spaced, the last at the end', () => {
    const due = arrivalsOf(capacityInputs);
    assert.deepEqual([due.length, due[0], due.at(-1)], [40, 250, 10_000]);
  });

  test('become denser during the ramp, and reach the rate at its end', () => {
    const due = arrivalsOf({ ...capacityInputs, rampSeconds: 5 });
    assert.equal(due.length, 30);
    assert.ok(Math.abs((due[9] ?? 0) - 5000) < 1e-6, 'half of the rate times five seconds');
    assert.ok((due[1] ?? 0) - (due[0] ?? 0) > 900 / 1.5);
    assert.ok(Math.abs((due[20] ?? 0) - (due[19] ?? 0) - 250) < 1e-6);
  });

  test('of a Poisson process are reproducible, ascending, and about as many', () => {
    const random = { ...capacityInputs, seconds: 1000, arrivals: 'poisson' } as const;
    const due = arrivalsOf(random);
    assert.deepEqual(due, arrivalsOf(random));
    assert.ok(Math.abs(due.length - 4000) < 4 * Math.sqrt(4000), String(due.length));
    assert.ok(due.every((at, i) => at >= (due[i - 1] ?? 0)) && (due.at(-1) ?? 0) <= 1_000_000);
    const gaps = due.map((at, i) => at - (due[i - 1] ?? 0));
    const short = gaps.filter((gap) => gap < 250 * Math.LN2).length;
    assert.ok(
      Math.abs(short - due.length / 2) < 4 * Math.sqrt(due.length),
      'half are below the median of an exponential',
    );
  });
});

test('a capacity run deals arrivals and creations to all keys', () => {
  const limits = limitsOf(loadPlans(), 'free');
  const scenarios = capacity.scenarios({ limits, fleet: 3, minutes: 1, capacity: capacityInputs });
  const steps = scenarios.flatMap(({ steps: all }) => all.filter((step) => step.kind === 'scheduled'));
  assert.deepEqual(
    steps.map(({ requests }) => requests),
    [14, 13, 13],
  );
  const creations = steps.map(({ creates }) => creates.filter(Boolean).length);
  assert.ok(
    creations.every((count) => count >= 3 && count <= 4),
    String(creations),
  );
});
