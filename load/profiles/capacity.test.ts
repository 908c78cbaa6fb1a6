import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import type { CapacityInputs } from '../model/inputs.ts';
import { arrivalsOf } from './arrivals.ts';
import { capacity } from './capacity.ts';

const inputs: CapacityInputs = {
  perSecond: 4,
  seconds: 10,
  rampSeconds: 0,
  createShare: 0.25,
  arrivals: 'even',
};

describe('the arrivals of a capacity run', () => {
  test('are evenly spaced, the last at the end', () => {
    const due = arrivalsOf(inputs);
    assert.deepEqual([due.length, due[0], due.at(-1)], [40, 250, 10_000]);
  });

  test('become denser during the ramp, and reach the rate at its end', () => {
    const due = arrivalsOf({ ...inputs, rampSeconds: 5 });
    assert.equal(due.length, 30);
    assert.ok(Math.abs((due[9] ?? 0) - 5000) < 1e-6, 'half of the rate times five seconds');
    assert.ok((due[1] ?? 0) - (due[0] ?? 0) > 900 / 1.5);
    assert.ok(Math.abs((due[20] ?? 0) - (due[19] ?? 0) - 250) < 1e-6);
  });

  test('of a Poisson process are reproducible, ascending, and about as many', () => {
    const random = { ...inputs, seconds: 1000, arrivals: 'poisson' } as const;
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
  const scenarios = capacity.scenarios({ limits, fleet: 3, minutes: 1, capacity: inputs });
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
