import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { QUOTA, seriesIn } from '../../../evaluation/testing/rate-limits/bursts.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import {
  batchCountedOnce,
  counts,
  falls,
  gets,
  lost,
  used,
  workers,
} from '../../../evaluation/testing/suites/uses.ts';
import { findFault } from '../../../reference-server/catalogue/faults/index.ts';
import { loadPlans } from '../../../spec/plans.ts';
import {
  countsEachAtOnce,
  countsExactlyOneByOne,
  countsSideBySide,
  findImpossibleBatch,
  mayBeUndercounted,
  parallelRequestsOf,
  restThatDecides,
} from './parallel-requests.ts';

/** Six at the same time that are all counted. */
const countedBatch = (count: number): Synthesis =>
  used(count)
    .together(6, () => ({ left: 54 - count }))
    .add({ left: 53 - count });

for (const [what, run, isFound, restMs] of [
  [
    'and then no piece comes for eight seconds',
    batchCountedOnce(20).wait(8).add({ left: 37 }),
    true,
    undefined,
  ],
  [
    'and the next request comes after five seconds',
    batchCountedOnce(20).wait(5).add({ left: 37 }),
    false,
    7500,
  ],
  [
    'after eight seconds without a piece',
    batchCountedOnce(21, used(20).wait(8).add({ left: 39 })),
    true,
    undefined,
  ],
  [
    'after eight seconds in which less than a piece was missing',
    batchCountedOnce(6, used(5).wait(8).add({ left: 54 })),
    false,
    7500,
  ],
  [
    'in as long as between two pieces, and then no piece comes for eight seconds',
    used(20)
      .together(6, () => ({ left: 39, received: 2500 }))
      .add({ left: 38 })
      .wait(8)
      .add({ left: 37 }),
    false,
    7500,
  ],
  ['where a window may have begun anew', batchCountedOnce(5).wait(8).add({ left: 52 }), false, undefined],
  [
    'and a piece of five comes five seconds later',
    batchCountedOnce(20).wait(5).add({ left: 42 }),
    false,
    7500,
  ],
  [
    'and a piece of ten comes five seconds later',
    batchCountedOnce(20).wait(5).add({ left: 47 }),
    false,
    7500,
  ],
  [
    'after eight seconds without a piece, and after more that a step of a sliding counter could give back',
    batchCountedOnce(
      21,
      used(1)
        .wait(12)
        .add(...gets(...Array.from({ length: 19 }, (_, i) => 58 - i)))
        .wait(8)
        .add({ left: 39 }),
    ),
    false,
    7500,
  ],
  [
    'and requests that may be free could hide a piece',
    batchCountedOnce(20)
      .wait(7)
      .add({ status: 400, left: 38 })
      .add({ status: 400, left: 38 })
      .add({ status: 400, left: 38 })
      .wait(1)
      .add({ left: 37 }),
    false,
    7500,
  ],
  ['and another client uses one request', batchCountedOnce(20).wait(8).add({ left: 36 }), false, undefined],
  ['and another client lowers Remaining', batchCountedOnce(20).wait(8).add({ left: 30 }), false, undefined],
  [
    'a second time, before another piece can come',
    batchCountedOnce(20, batchCountedOnce(10).add({ left: 47 }).add({ left: 40 })),
    false,
    undefined,
  ],
  [
    'more than half a window after the first request',
    batchCountedOnce(21, used(20).wait(31).add({ left: 39 }))
      .wait(8)
      .add({ left: 36 }),
    false,
    undefined,
  ],
  ['but all of them are counted', countedBatch(20).wait(8).add({ left: 32 }), false, undefined],
] as const) {
  test(`six requests at the same time lower Remaining by one, ${what}`, () => {
    const series = seriesIn(run);
    assert.equal(findImpossibleBatch(series, QUOTA) !== undefined, isFound);
    assert.equal(restThatDecides(series, QUOTA), restMs);
  });
}

test('two batches closer together than two pieces of a bucket', () => {
  const run = batchCountedOnce(3, new Synthesis().wait(3600).add(...gets(59, 58, 57)));
  for (let left = 54; left > 30; left -= 1) run.add({ left });
  const series = seriesIn(run.together(6, () => ({ left: 30 })).add({ left: 29 }));
  assert.ok(findImpossibleBatch(series, QUOTA) !== undefined);
});

/** The verdict on LIMIT-6 where an update of the counter takes so long, with a window of so many seconds. */
async function verdictOf(id: string, minuteSeconds: number): Promise<string | undefined> {
  const plans = { ...loadPlans(), minuteSeconds };
  const { record } = await virtualRun({ fault: findFault(id), plans });
  return record.requirements.find((one) => one.id === 'LIMIT-6')?.verdict;
}

test('lost updates show in short windows as well as in long ones', async () => {
  for (const id of ['updates-lost', 'updates-lost-in-fifty-milliseconds']) {
    for (const minuteSeconds of [5, 60])
      assert.equal(await verdictOf(id, minuteSeconds), 'fail', `${id} in ${minuteSeconds} s`);
  }
});

const exactInParallel = () =>
  counts()
    .together(6, () => ({ left: 53 }))
    .add({ left: 52 });

/** Requests one by one that are not counted, an hour after the clock began. */
const notCountedOneByOne = () =>
  new Synthesis()
    .wait(3600)
    .add(...gets(59, 59, 59, 59, 59, 59))
    .together(6, () => ({ left: 53 }))
    .add({ left: 52 });

for (const [what, run, undercounted, exactOneByOne] of [
  ['every batch counted once', lost(), true, true],
  ['the only batch counted once', batchCountedOnce(20), true, true],
  [
    'two of three batches counted once',
    batchCountedOnce(12, batchCountedOnce(8, exactInParallel()).add({ left: 49 }).add({ left: 48 })),
    true,
    true,
  ],
  ['one of two batches counted once', batchCountedOnce(8, exactInParallel()), false, true],
  ['requests one by one that are not counted', notCountedOneByOne(), false, false],
  ['every batch exact', exactInParallel(), false, true],
  ['no parallel requests', falls(1, 1, 1), false, false],
] as const) {
  test(`parallel requests, ${what}`, () => {
    const series = seriesIn(run);
    assert.equal(mayBeUndercounted(parallelRequestsOf(series, QUOTA)), undercounted);
    assert.equal(countsExactlyOneByOne(series, QUOTA), exactOneByOne);
  });
}

for (const [left, each] of [
  [[58, 57], true],
  [[58, 58], false],
  [[58, 56], false],
  [[58, 58, 56], false],
] as const)
  test(`requests at the same time that show ${left.join(', ')} ${each ? 'are' : 'are not'} counted one by one`, () =>
    assert.equal(
      countsEachAtOnce(seriesIn(new Synthesis().together(left.length, (i) => ({ left: left[i] ?? 0 })))),
      each,
    ));

const REJECTED = { method: 'POST', status: 400 };

for (const [what, run, found] of [
  ['two workers', workers(), 2],
  ['one count', falls(1, 1, 1, 1), undefined],
  ['a second count that shows only once', counts(...gets(58, 57, 56, 59, 55)), undefined],
  ['a second count that shows three times', counts(...gets(58, 57, 56, 59, 55, 58, 54)), 2],
  [
    'a second count that shows twice',
    counts(...gets(58, 57), { left: null }, ...gets(59, 55, 58)),
    undefined,
  ],
  ['two counts too close to tell', counts(...gets(59, 58, 58, 57, 57, 56, 56, 55, 55)), undefined],
  ['two workers and an accepted request that is free', workers({ left: 51 }), undefined],
  ['a reading that no count explains', counts(...gets(58, 57, 40)), undefined],
  ['two workers and a rejected request that one of them shows', workers({ ...REJECTED, left: 51 }), 2],
  ['a rejected request whose reading no count has', workers({ ...REJECTED, left: 30 }), undefined],
  ['two windows that another client shares', counts(...gets(58, 57, 50, 59, 58, 49, 56, 47)), undefined],
] as const) {
  test(`${what}: ${found ?? 'no'} counts side by side`, () => {
    assert.equal(countsSideBySide(seriesIn(run), QUOTA), found);
  });
}
