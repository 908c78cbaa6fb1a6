import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFault } from '../reference-server/catalogue/faults/index.ts';
import { algorithms } from '../reference-server/limiters/index.ts';
import { sampleOf } from '../tools/sample.ts';
import { virtualLoad } from './load/virtual-load.ts';
import type { VirtualRun } from './simulation/virtual-run.ts';
import { virtualRun } from './simulation/virtual-run.ts';
import { idsWith } from './testing/verdicts.ts';

const SUSPENDED_MS = 61_000;
const BACK_MS = -30_000;

/** From the first requests to the end of the wait for Retry-After, in milliseconds. */
const POSITIONS = [20, 1000, 20_000, 40_000, 60_500] as const;

const CONDITIONS: Readonly<Record<string, (at: number) => VirtualRun>> = {
  'a suspended runner': (at) => ({ suspensions: [{ at, lasts: SUSPENDED_MS }] }),
  'a runner that is suspended twice': (at) => ({
    suspensions: [
      { at, lasts: SUSPENDED_MS },
      { at: at + 15, lasts: SUSPENDED_MS },
    ],
  }),
  'a target whose clock is set back': (at) => ({ clockSet: { at, by: BACK_MS } }),
  'a target whose clock is set ahead': (at) => ({ clockSet: { at, by: -BACK_MS } }),
};

for (const [what, conditions] of Object.entries(CONDITIONS))
  for (const algorithm of sampleOf(algorithms))
    test(`${what} fails no requirement with ${algorithm}`, async () => {
      for (const at of POSITIONS) {
        const { record } = await virtualRun({ algorithm, exclusiveKey: true, ...conditions(at) });
        assert.deepEqual(idsWith(record, 'fail'), [], `${at} ms after the beginning`);
      }
    });

test('a suspended runner is named where limits and waits are undecided', async () => {
  const { record } = await virtualRun({ suspensions: [{ at: 1000, lasts: SUSPENDED_MS }] });
  const limit = record.requirements.find(({ id }) => id === 'LIMIT-1');
  assert.equal(record.outcome, 'incomplete');
  assert.match(limit?.because ?? '', /stood still for 61 s between exchange \d+ .* Run again\./);
});

test('a wall clock that is set during a run decides nothing otherwise: Date shows that no time was lost', async () => {
  const setAhead = {
    suspensions: [{ at: 1000, lasts: SUSPENDED_MS }],
    clockSet: { at: 1001, by: -SUSPENDED_MS },
  };
  assert.equal((await virtualRun(setAhead)).record.outcome, 'conforms');
  const fault = findFault('retry-after-half');
  assert.deepEqual(idsWith((await virtualRun({ ...setAhead, fault })).record, 'fail'), ['RETRY-3']);
});

test('a load run during which a clock is set back fails no expectation about limits and waits', async () => {
  for (const profile of ['at-limit', 'over-limit', 'offender'])
    for (const at of [500, 20_000, 59_000]) {
      const { record } = await virtualLoad({ profile, exclusive: true, clockSet: { at, by: BACK_MS } });
      assert.deepEqual(idsWith(record, 'fail'), [], `${profile}, ${at} ms after the beginning`);
    }
});
