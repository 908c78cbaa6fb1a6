import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelRun } from '../../../evaluation/simulation/model-run.ts';
import { runAgainstModel } from '../../../evaluation/simulation/model-run.ts';
import type { ModelBehaviour } from '../../../evaluation/testing/suites/model-service.ts';
import { reasonsOf } from '../../../evaluation/testing/verdicts.ts';

const usual: ModelBehaviour = {
  quota: { limit: 60, windowMs: 60_000 },
  shape: { kind: 'aligned window', phase: 0, chunk: 1 },
  rejected: 'counted',
  reset: 'next',
  rounding: 'floor',
  retryAfter: 'exact',
  describedLimit: 'minute',
  unauthenticated: 'limited to 30',
  optionalOperations: 'absent',
  date: 'exact',
  headerCase: 'usual',
  description: 'omitted',
};
const pieces = (chunk: number, phase = 0): Pick<ModelBehaviour, 'shape'> => ({
  shape: { kind: 'chunked bucket', phase, chunk },
});
const quick = { latency: 0.3, seed: 1, start: 0, isOtherKeyExhausted: false, withDisposableKey: false };

// Random model services are subjects of evaluation/statistics.

/** Runs that once ended in a false fail, with the requirement and the cause. */
const onceFalseFails: Readonly<Record<string, ModelRun>> = {
  'LIMIT-1, because rejected creations are refunded': {
    ...quick,
    behaviour: { ...usual, rejected: 'refunded' },
  },
  'LIMIT-1, because a bucket refills in pieces': {
    ...quick,
    behaviour: { ...usual, ...pieces(1), rejected: 'refunded' },
    latency: 200,
    seed: 3,
    start: 35_415,
  },
  'LIMIT-2, because a refill in one piece was mistaken for a new window': {
    ...quick,
    behaviour: { ...usual, ...pieces(198), quota: { limit: 300, windowMs: 60_000 } },
    latency: 1200,
    seed: 30_832_021,
  },
  'LIMIT-4, because a bucket announced each of its refills': {
    ...quick,
    behaviour: {
      ...usual,
      ...pieces(56, 59_593),
      quota: { limit: 300, windowMs: 60_000 },
      retryAfter: 'one window',
    },
    latency: 5,
    start: 57_957,
    isOtherKeyExhausted: true,
    withDisposableKey: true,
  },
  'LIMIT-4, because a bucket announced when its full quota is restored': {
    ...quick,
    behaviour: { ...usual, ...pieces(15, 2000), reset: 'full', rounding: 'ceil', retryAfter: 'until Reset' },
  },
};

for (const [what, one] of Object.entries(onceFalseFails)) {
  test(`no false fail of ${what}`, async () => {
    assert.deepEqual(reasonsOf((await runAgainstModel(one)).record, 'fail'), []);
  });
}
