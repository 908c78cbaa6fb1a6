import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUOTA, seriesIn } from '../../../evaluation/testing/rate-limits/steady.ts';
import { counts, falls, lost } from '../../../evaluation/testing/suites/uses.ts';
import { countsExactlyOneByOne, mayBeUndercounted, parallelRequestsOf } from './parallel-undercount.ts';

const exactInParallel = () =>
  counts()
    .together(6, () => ({ left: 53 }))
    .add({ left: 52 });

for (const [what, run, undercounted, exactOneByOne] of [
  ['every batch counted once', lost(), true, true],
  ['every batch exact', exactInParallel(), false, true],
  ['no parallel requests', falls(1, 1, 1), false, false],
] as const) {
  test(`parallel requests, ${what}`, () => {
    const series = seriesIn(run);
    assert.equal(mayBeUndercounted(parallelRequestsOf(series, QUOTA)), undercounted);
    assert.equal(countsExactlyOneByOne(series, QUOTA), exactOneByOne);
  });
}
