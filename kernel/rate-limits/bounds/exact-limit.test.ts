import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countingDown,
  QUOTA,
  shows,
  steady,
  transitionsIn,
} from '../../../evaluation/testing/rate-limits/steady.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { beyondLimitBeforeRefill, beyondLimitWithoutRefill } from './exact-limit.ts';
import { stretchesOf } from './stretches.ts';

// Before anything flows back: one request a second does, so all must come within one. A Reset that is a window ahead
// may follow the clock, so that a window of a counter may end before it.
for (const [count, everyMs, aheadMs, result] of [
  [60, 10, 30_000, undefined],
  [61, 10, 30_000, 61],
  [61, 20, 30_000, 'open'],
  [61, 10, 60_000, undefined],
  [62, 10, 60_000, 62],
] as const) {
  test(`${count} requests within ${(count * everyMs) / 1000} s, ${aheadMs / 1000} s before Reset: ${result ?? 'within the limit'}`, () => {
    const run = steady(count, everyMs, 1, countingDown, QUOTA.windowMs - aheadMs);
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

/** A sliding counter whose former window begins to lose weight at the 40th request, and the Reset of a limiter that adds a window to the time. */
const weighted = (i: number): number => Math.max(0, 59 - i + (i >= 40 ? 1 : 0));
const movingReset = (i: number): number => Math.floor(i / 10);

test('a sliding counter whose Reset is always a window ahead may begin to give back within it', () => {
  for (const [remaining, later, accepted] of [
    [weighted, movingReset, undefined],
    [weighted, () => 0, 61],
    // What flows back is less than one at first, so Remaining stands at 0 and a request more is accepted later.
    [countingDown, movingReset, undefined],
  ] as const) {
    const run = new Synthesis();
    for (let i = 0; i < 61; i += 1) {
      const staged = shows(i * 100, 60, remaining(i));
      const headers = (staged.headers ?? []).map(([name, value]) =>
        name === 'X-RateLimit-Reset'
          ? ([name, String(Number(value) + later(i))] as const)
          : ([name, value] as const),
      );
      run.add({ ...staged, headers });
    }
    assert.equal(beyondLimitWithoutRefill(run.exchanges, transitionsIn(run), QUOTA)?.accepted, accepted);
  }
});

/** Requests every 100 ms whose responses have no Date; the Reset of each is this many seconds after the first one. */
function undated(count: number, remaining: (i: number) => number, later: (i: number) => number): Synthesis {
  const run = new Synthesis();
  for (let i = 0; i < count; i += 1) {
    const staged = shows(i * 100, 99, remaining(i));
    const headers = (staged.headers ?? []).map(([name, value]) =>
      name === 'X-RateLimit-Reset'
        ? ([name, String(Number(value) + later(i))] as const)
        : ([name, value] as const),
    );
    run.add({ ...staged, headers, date: null });
  }
  return run;
}

// Without Date, Reset shows no moment: one and the same Reset shows one window.
for (const [what, run, accepted] of [
  ['the limit', undated(60, countingDown, () => 0), undefined],
  ['one more than the limit', undated(61, countingDown, () => 0), 61],
  ['one more, and another Reset in between', undated(61, countingDown, (i) => (i < 20 ? 0 : 60)), undefined],
  ['a bucket, whose Reset is the time at which it is full', undated(66, bucket, (i) => i), undefined],
] as const) {
  test(`without Date, ${what}: ${accepted === undefined ? 'within' : 'beyond'} the limit`, () => {
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
