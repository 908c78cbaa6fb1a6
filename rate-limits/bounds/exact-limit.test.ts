import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countingDown, QUOTA, steady, transitionsIn } from '../../evaluation/testing/rate-limits/steady.ts';
import { beyondLimitBeforeRefill, beyondLimitWithoutRefill } from './exact-limit.ts';
import { stretchesOf } from './stretches.ts';

// Before anything flows back: one request a second does, so all must come within one.
for (const [count, everyMs, result] of [
  [60, 10, undefined],
  [61, 10, 61],
  [61, 20, 'open'],
] as const) {
  test(`${count} requests within ${(count * everyMs) / 1000} s: ${result ?? 'within the limit'}`, () => {
    const run = steady(count, everyMs, 1, countingDown);
    const found = beyondLimitBeforeRefill(run.exchanges, stretchesOf(transitionsIn(run)), QUOTA);
    assert.equal(typeof found === 'object' ? found.accepted : found, result);
  });
}

test('a piece of two that comes back within a second is not an excess, although Reset is a window ahead', () => {
  const piece = (i: number): number => Math.min(59, 59 - i + (i >= 30 ? 2 : 0));
  for (const [count, result] of [
    [62, undefined],
    [63, 63],
  ] as const) {
    const run = steady(count, 10, 1, piece);
    const found = beyondLimitBeforeRefill(run.exchanges, stretchesOf(transitionsIn(run)), QUOTA);
    assert.equal(typeof found === 'object' ? found.accepted : found, result);
  }
});

/** A bucket of 60 that gives one back each second. */
const bucket = (i: number): number => Math.min(59, Math.floor(59 - i + (i * 100) / 1000));
/** The same, with two back every two seconds. */
const inPieces = (i: number): number => Math.min(59, 59 - i + 2 * Math.floor((i * 100) / 2000));

// Once nothing has flowed back: one request every 100 ms, and Remaining over more than a second.
for (const [what, count, remaining, accepted] of [
  ['the limit', 60, countingDown, undefined],
  ['one more than the limit', 61, countingDown, 61],
  ['a bucket that gives back one by one', 66, bucket, undefined],
  ['a bucket that gives back in pieces', 66, inPieces, undefined],
] as const) {
  test(`without any refill shown, ${what}: ${accepted === undefined ? 'within' : 'beyond'} the limit`, () => {
    const run = steady(count, 100, 99, remaining);
    const found = beyondLimitWithoutRefill(run.exchanges, transitionsIn(run), QUOTA);
    assert.equal(found?.accepted, accepted);
  });
}

test('without a Reset nothing is known of the end of the window', () => {
  const run = steady(61, 100, 99, countingDown);
  const without = run.exchanges.map((one) =>
    one.outcome.kind === 'answer'
      ? {
          ...one,
          outcome: { ...one.outcome, headers: one.outcome.headers.filter(([name]) => !/reset/i.test(name)) },
        }
      : one,
  );
  assert.equal(beyondLimitWithoutRefill(without, transitionsIn(run), QUOTA), undefined);
});
