import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countingDown,
  QUOTA,
  shows,
  steady,
  transitionsIn,
} from '../../../evaluation/testing/rate-limits/bursts.ts';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { RUN, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { ofKey, seriesOf } from '../series.ts';
import {
  beyondLimitBeforeRefill,
  beyondLimitPlusRefill,
  beyondLimitWithoutRefill,
  beyondTwiceTheLimit,
  counterMayTurn,
  firstOverrun,
} from './overrun.ts';
import { stretchesOf } from './refill.ts';

const FREE = RUN.limits;

/** The first overrun of a run that asked nothing else. */
const found = (run: Synthesis) => firstOverrun(seriesOf(ofKey(run.exchanges), FREE)[0] ?? [], FREE);

/** One request every `every` milliseconds, each `trip` milliseconds long, in a window that ends after 40 s. */
function counted(count: number, every: number, trip: number, left: (i: number) => number): Synthesis {
  const run = new Synthesis();
  for (let i = 0; i < count; i += 1) run.add(told(i * every, trip, left(i)));
  return run;
}

const told = (sent: number, trip: number, left: number): StagedExchange => ({
  ...{ sent, received: sent + trip },
  ...{ left, reset: 40 },
});

test('one request too many is found in less time than anything flows back in', () => {
  assert.equal(found(counted(61, 5, 4, countingDown))?.accepted, 61);
  assert.equal(found(counted(60, 5, 4, countingDown)), undefined);
});

test('a later request that proves nothing does not hide what was proven before it', () => {
  const run = counted(61, 5, 4, countingDown);
  run.add({ ...told(30_000, 5, 0), caller: 'unspecified', status: 401 });
  assert.equal(found(run)?.accepted, 61);
});

test('a bucket that gives back in pieces may pause for as long as nothing comes back', () => {
  // Two every two seconds: the first piece finds one missing, the limit is whole again, and 60 are accepted since.
  const run = new Synthesis().add(told(0, 4, 59), told(1000, 4, 58), told(2100, 4, 59));
  for (let i = 1; i <= 59; i += 1) run.add(told(2100 + i * 30, 4, 59 - i));
  assert.equal(found(run), undefined);
  assert.equal(found(run.add(told(3900, 4, 0)))?.accepted, 61);
});

// Before anything flows back: one request a second does, so all must come within one. A Reset that is a window ahead
// may follow the clock, so that a window of a counter may end before it.
for (const [count, everyMs, aheadMs, result] of [
  [60, 10, 30_000, undefined],
  [61, 10, 30_000, 61],
  [61, 10, 60_000, undefined],
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

/** Requests every 100 ms whose responses have no Date: one and the same Reset shows one window. */
function undated(count: number): Synthesis {
  const run = new Synthesis();
  for (let i = 0; i < count; i += 1)
    run.add({ ...shows(i * 100, 99, countingDown(i)), reset: 60, date: null });
  return run;
}

// Once nothing has flowed back: one request every 100 ms, and Remaining over more than a second.
for (const [what, run, accepted] of [
  ['the limit', steady(60, 100, 99, countingDown), undefined],
  ['one more than the limit', steady(61, 100, 99, countingDown), 61],
  ['a bucket that gives back one by one', steady(66, 100, 99, bucket), undefined],
  ['a bucket that gives back in pieces', steady(66, 100, 99, inPieces), undefined],
  ['the limit, without Date', undated(60), undefined],
  ['one more than the limit, without Date', undated(61), 61],
] as const) {
  test(`without any refill shown, ${what}: ${accepted === undefined ? 'within' : 'beyond'} the limit`, () => {
    assert.equal(beyondLimitWithoutRefill(run.exchanges, transitionsIn(run), QUOTA)?.accepted, accepted);
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
    for (let i = 0; i < 61; i += 1) run.add({ ...shows(i * 100, 60, remaining(i)), reset: 60 + later(i) });
    assert.equal(beyondLimitWithoutRefill(run.exchanges, transitionsIn(run), QUOTA)?.accepted, accepted);
  }
});

const limitPlusRefillBucket = (i: number): number => Math.floor(60 - (i + 1) + (i * 200) / 1000);

// requests, one every 200 ms: a bucket of 60 that gives one back each second accepts 60 and one more a second
for (const [what, count, remaining, exceeds] of [
  ['a bucket', 74, limitPlusRefillBucket, false],
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

// requests, milliseconds between them, whether more than 2 * 60 and what flows back were accepted
for (const [count, everyMs, exceeds] of [
  [120, 1, false],
  [121, 1, true],
  // A slow run proves nothing, however long it is.
  [1000, 1001, false],
] as const) {
  test(`${count} accepted requests, one every ${everyMs} ms: ${exceeds ? 'beyond' : 'within'} twice the limit`, () => {
    const { exchanges } = steady(count, everyMs, 1, countingDown);
    assert.equal(beyondTwiceTheLimit(exchanges, QUOTA) !== undefined, exceeds);
  });
}

test('requests that were not accepted do not count', () => {
  const run = steady(120, 1, 1, countingDown);
  for (let i = 0; i < 50; i += 1) run.add({ status: 400 });
  assert.equal(beyondTwiceTheLimit(run.exchanges, QUOTA), undefined);
});

/** Some requests over this time, whose Resets are so many seconds after the start. */
function requests(overMs: number, resets: readonly number[]): Synthesis {
  const run = new Synthesis();
  for (const [i, reset] of resets.entries())
    run.add({ ...shows((i * overMs) / resets.length, 5, 59 - i), reset });
  return run;
}

for (const [what, overMs, resets, may] of [
  ['the same Reset for 2.2 s and more', 3500, [60, 60, 60], false],
  ['a Reset that moves', 500, [30, 30, 90], true],
] as const) {
  test(`${what}: a window of a counter ${may ? 'may have ended' : 'has not ended'}`, () => {
    assert.equal(counterMayTurn(requests(overMs, resets).exchanges, QUOTA), may);
  });
}
