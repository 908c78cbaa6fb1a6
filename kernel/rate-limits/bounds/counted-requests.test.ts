import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transitionsIn } from '../../../evaluation/testing/rate-limits/bursts.ts';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { counts, everyFifth, falls, gets, posts } from '../../../evaluation/testing/suites/uses.ts';
import { chanceToHit, constantCostOf, everyNthCountedOnceMore } from './counted-requests.ts';

const BAD = { cost: 2, of: 'request answered 400' };

/** Invalid creations, each of which is counted again after its response. */
const rejected = (count: number): readonly StagedExchange[] =>
  Array.from({ length: count }, (_, i) => ({ method: 'POST', status: 400, left: 58 - 2 * i }));

for (const [what, run, found] of [
  ['two each', falls(2, 2, 2, 2), { cost: 2, of: 'request' }],
  ['two each, too few times', falls(2, 2, 2), undefined],
  ['not the same once', falls(2, 2, 2, 2, 1), undefined],
  ['one each, but for one fall that nothing explains', falls(1, 1, 5, 1, 1), undefined],
  ['creations alone', counts(...posts(57, 55, 53, 51), ...gets(50, 49)), { cost: 2, of: 'POST' }],
  [
    'creations alone, and one fall that nothing explains',
    counts(...posts(57, 55, 53, 51), ...gets(50, 45, 44)),
    undefined,
  ],
  ['invalid bodies, seen in the next response', counts(...rejected(8), ...gets(42, 41, 40)), BAD],
  ['invalid bodies, too few of them', counts(...rejected(7), ...gets(44, 43)), undefined],
  ['one each', falls(1, 1, 1, 1), undefined],
] as const) {
  test(`a constant cost: ${what}`, () => assert.deepEqual(constantCostOf(transitionsIn(run)), found));
}

const UNEVEN = [1, 90, 3, 40, 700, 2, 130, 1];

for (const [what, run, mostChance, nth] of [
  ['sooner and later in turn', everyFifth([20, 300, 20, 300, 20, 300, 20, 300]), 1e-6, 5],
  ['only once', everyFifth([1]), 1e-6, undefined],
] as const) {
  test(`every fifth request counts once more, ${what}: ${nth ?? 'not found'}`, () => {
    assert.equal(everyNthCountedOnceMore(transitionsIn(run), mostChance), nth);
  });
}

test('every second request counts once more', () => {
  const run = counts();
  let left = 59;
  for (let i = 0; i < 32; i += 1) {
    left -= i % 2 === 0 ? 1 : 2;
    run.wait((UNEVEN[i % UNEVEN.length] ?? 0) / 1000).add({ left });
  }
  assert.equal(everyNthCountedOnceMore(transitionsIn(run), 1e-6), 2);
});

const forty = transitionsIn(counts(...gets(...Array.from({ length: 40 }, (_, i) => 58 - i))));
const hit = (...at: readonly number[]) => forty.filter((_, i) => at.includes(i));

/** n! / (n - k)! of n equal stretches, as the share of all ways to place k moments. */
const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual / expected - 1) < 0.2, `${actual} is not about ${expected}`);

test('equal stretches are hit in proportion to their number', () => {
  near(chanceToHit(hit(3), forty), 1 / 40);
  near(chanceToHit(hit(3, 9), forty), 2 / 40 ** 2);
  near(chanceToHit(hit(1, 9, 17, 30), forty), 24 / 40 ** 4);
});

const withPause = transitionsIn(
  counts(...gets(58, 57))
    .wait(30)
    .add(...gets(56, 55, 54)),
);

test('a pause between two requests makes no coincidence less likely than the median does', () => {
  near(chanceToHit(withPause.slice(0, 1), withPause), 1 / 5);
});

test('stretches that are not hit weigh no more than the median', () => {
  const run = counts();
  for (const [at, pause] of [0.01, 0.02, 0.04, 0.08, 0.16].entries()) run.wait(pause).add({ left: 58 - at });
  const uneven = transitionsIn(run);
  near(chanceToHit(uneven.slice(0, 1), uneven), 13 / (13 + 23 + 3 * 43));
});

test('a stretch that takes most of the time is hit by any client', () => {
  const longest = withPause.filter(({ atMostMs }) => atMostMs > 10_000);
  assert.equal(longest.length, 1);
  assert.ok(chanceToHit(longest, withPause) > 0.9);
});
