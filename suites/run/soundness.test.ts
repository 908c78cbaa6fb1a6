import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ModelRun } from '../../evaluation/simulation/model-run.ts';
import { modelRun, modelRuns } from '../../evaluation/simulation/model-run.ts';
import type { Manner } from '../../evaluation/testing/suites/model-service.ts';
import type { RunRecord } from '../model/record.ts';

const failures = ({ requirements }: RunRecord): readonly string[] =>
  requirements.filter(({ verdict }) => verdict === 'fail').map(({ id, because }) => `${id}: ${because}`);

const usual: Manner = {
  quota: { limit: 60, windowMs: 60_000 },
  shape: { kind: 'aligned window', phase: 0, chunk: 1 },
  rejected: 'count',
  reset: 'next',
  rounding: 'floor',
  retryAfter: 'exact',
  describes: 'minute',
  unauthenticated: 'have a limit of 30',
  named: 'absent',
  date: 'exact',
  headerCase: 'usual',
  description: 'omitted',
};
const chunks = (chunk: number, phase = 0): Pick<Manner, 'shape'> => ({
  shape: { kind: 'chunked bucket', phase, chunk },
});
const quick = { latency: 0.3, seed: 1, start: 0, busy: false, withDisposableKey: false };

/** Conforming services that once got a false fail, and of which requirement. */
const onceFailed: Readonly<Record<string, ModelRun>> = {
  'LIMIT-1, because rejected creations are refunded': {
    ...quick,
    manner: { ...usual, rejected: 'are refunded' },
  },
  'LIMIT-1, because a bucket refills in chunks': {
    ...quick,
    manner: { ...usual, ...chunks(1), rejected: 'are refunded' },
    latency: 200,
    seed: 3,
    start: 35_415,
  },
  'LIMIT-2, because a refill in one chunk was taken for a new window': {
    ...quick,
    manner: { ...usual, ...chunks(198), quota: { limit: 300, windowMs: 60_000 } },
    latency: 1200,
    seed: 30_832_021,
  },
  'LIMIT-4, because a bucket announced each of its refills': {
    ...quick,
    manner: {
      ...usual,
      ...chunks(56, 59_593),
      quota: { limit: 300, windowMs: 60_000 },
      retryAfter: 'a whole window',
    },
    latency: 5,
    start: 57_957,
    busy: true,
    withDisposableKey: true,
  },
  'LIMIT-4, because a bucket announced when it is full': {
    ...quick,
    manner: { ...usual, ...chunks(15, 2000), reset: 'full', rounding: 'ceil', retryAfter: 'until Reset' },
  },
};

for (const [what, one] of Object.entries(onceFailed)) {
  test(`no false fail of ${what}`, async () => {
    assert.deepEqual(failures((await modelRun(one)).record), []);
  });
}

test('no conforming service fails, whatever its algorithm, its other properties and the network', async () => {
  await fc.assert(
    fc.asyncProperty(modelRuns, async (one) => {
      const found = failures((await modelRun(one)).record);
      assert.deepEqual(found, [], found.join('\n'));
    }),
    { numRuns: Number(process.env['SOUNDNESS_RUNS'] ?? 60), includeErrorInReport: true },
  );
});
