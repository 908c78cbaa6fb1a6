import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUOTA, seriesIn } from '../../../evaluation/testing/rate-limits/bursts.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { batchCountedOnce, counts, falls, gets, workers } from '../../../evaluation/testing/suites/uses.ts';
import {
  countsEachAtOnce,
  countsExactlyOneByOne,
  countsSideBySide,
  mayBeUndercounted,
  parallelRequestsOf,
} from './parallel-requests.ts';

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
] as const)
  test(`requests at the same time that show ${left.join(', ')} ${each ? 'are' : 'are not'} counted one by one`, () =>
    assert.equal(
      countsEachAtOnce(seriesIn(new Synthesis().together(left.length, (i) => ({ left: left[i] ?? 0 })))),
      each,
    ));

const REJECTED = { method: 'POST', status: 400 };

for (const [what, run, found] of [
  ['two workers', workers(), 2],
  ['a second count that shows only once', counts(...gets(58, 57, 56, 59, 55)), undefined],
  ['a second count that shows three times', counts(...gets(58, 57, 56, 59, 55, 58, 54)), 2],
  ['two counts too close to tell', counts(...gets(59, 58, 58, 57, 57, 56, 56, 55, 55)), undefined],
  ['two workers and an accepted request that is free', workers({ left: 51 }), undefined],
  ['two workers and a rejected request that one of them shows', workers({ ...REJECTED, left: 51 }), 2],
  ['a rejected request whose reading no count has', workers({ ...REJECTED, left: 30 }), undefined],
] as const) {
  test(`${what}: ${found ?? 'no'} counts side by side`, () => {
    assert.equal(countsSideBySide(seriesIn(run), QUOTA), found);
  });
}
