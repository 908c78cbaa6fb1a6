import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUOTA, steady, transitionsIn } from '../../../evaluation/testing/rate-limits/steady.ts';
import { beyondLimitPlusRefill } from './limit-plus-refill.ts';
import { stretchesOf } from './stretches.ts';

const bucket = (i: number): number => Math.floor(60 - (i + 1) + (i * 200) / 1000);
const downTo0 = (i: number): number => Math.max(0, 59 - i);

// requests, one every 200 ms: a bucket of 60 that gives one back each second accepts 60 and one more a second
for (const [what, count, remaining, exceeds] of [
  ['a bucket', 74, bucket, false],
  ['a limit that nothing flows back to', 60, downTo0, false],
  ['more than limit and refill', 77, downTo0, true],
  // A window that begins anew after 20 requests accepts 60 more: the gain of 20 shows.
  ['a window that begins anew', 80, (i: number) => (i < 20 ? 59 - i : 59 - (i - 20)), false],
  [
    'more than a window that begins anew',
    101,
    (i: number) => (i < 20 ? 59 - i : Math.max(0, 59 - (i - 20))),
    true,
  ],
] as const) {
  test(`${what}: ${count} requests are ${exceeds ? 'beyond' : 'within'} the limit plus refill`, () => {
    const run = steady(count, 200, 199, remaining);
    const found = beyondLimitPlusRefill(run.exchanges, stretchesOf(transitionsIn(run)), QUOTA);
    assert.equal(found !== undefined, exceeds);
  });
}
