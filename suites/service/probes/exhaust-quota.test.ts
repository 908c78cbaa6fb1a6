import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import { loadPlans } from '../../../spec/plans.ts';
import type { JournalLine } from '../model/journal.ts';
import { exhaustQuota } from './exhaust-quota.ts';

const rests = (lines: readonly JournalLine[]): number =>
  lines.filter((line) => line.kind === 'wait' && line.because.startsWith('Remaining after a pause')).length;
const statusesWhileExhausting = (lines: readonly JournalLine[]): readonly number[] =>
  lines.flatMap((line) =>
    line.kind === 'exchange' && line.probe === exhaustQuota.id && line.outcome.kind === 'answer'
      ? [line.outcome.status]
      : [],
  );

test('the key rests once before the end of a window, and sends no more requests for it', async () => {
  for (const plan of ['free', 'pro']) {
    const { lines, plan: planned } = await virtualRun({ plan });
    assert.equal(rests(lines), 1);
    assert.equal(statusesWhileExhausting(lines).filter((status) => status === 429).length, 1);
    const keyed = lines.filter((line) => line.kind === 'exchange' && line.caller === 'key').length;
    assert.ok(keyed <= planned.total.withKey, `${keyed} of ${planned.total.withKey}`);
  }
});

test('where the window started anew meanwhile it rests again, until the limit is proven not to hold', async () => {
  const { lines, record } = await virtualRun({ fault: findFault('window-forgotten-after-a-second') });
  assert.equal(rests(lines), 2);
  assert.ok(!statusesWhileExhausting(lines).includes(429));
  assert.match(
    record.requirements.find(({ id }) => id === 'RATE-7')?.because ?? '',
    /higher than any window or bucket could restore/,
  );
});

test('it does not rest where the window ends earlier', async () => {
  const { lines } = await virtualRun({ fault: findFault('window-of-a-second') });
  assert.equal(rests(lines), 0);
});

test('where the day ends right before the quota is exhausted, the key sends nothing after the 429', async () => {
  const limits = { perMinute: 60, perDay: 55 };
  // So slow that the probe starts over with a list and a creation, of which the second one is one too many.
  const network = { there: () => 400, back: () => 400 };
  const plans = { ...loadPlans(), plans: { ...loadPlans().plans, free: limits } };
  const { lines } = await virtualRun({ plans, network });
  assert.deepEqual(statusesWhileExhausting(lines), [200, 200, 429]);
  const keyed = lines.filter((line) => line.kind === 'exchange' && line.caller === 'key');
  assert.equal(keyed.length, limits.perDay - 1);
});
