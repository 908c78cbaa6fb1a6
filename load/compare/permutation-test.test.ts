import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seededBy } from '../../evaluation/testing/suites/limiters.ts';
import { chancesOfHigherRanks, waysToChoose } from './permutation-test.ts';
import { foundEffect, leastRuns, runsToDecide, shareOfHigher } from './repetitions.ts';

describe('the permutation test', () => {
  test('counts the ways to divide the runs', () => {
    assert.deepEqual([waysToChoose(12, 6), waysToChoose(5, 5), waysToChoose(20, 10)], [924, 1, 184_756]);
    assert.deepEqual(chancesOfHigherRanks([[1, 2, 3, 4]], 2), [1 / 6]);
    assert.deepEqual(chancesOfHigherRanks([[1, 2, 2, 3]], 2), [2 / 6]);
    assert.deepEqual(chancesOfHigherRanks([[4, 3, 2, 1]], 2), [1]);
  });

  test('a constant measure costs the others nothing; a varying one does', () => {
    const chanceBeside = (other: readonly number[]): number | undefined =>
      chancesOfHigherRanks([[1, 2, 3, 4], other], 2)[0];
    assert.equal(chanceBeside([7, 7, 7, 7]), 1 / 6);
    assert.equal(chancesOfHigherRanks([[2, 3, 1, 4], Array(4).fill(7)], 2)[0], 4 / 6);
    assert.equal(chanceBeside([1, 3, 2, 4]), 2 / 6);
    assert.equal(chancesOfHigherRanks([[7, 7, 7, 7]], 2)[0], 1);
    // Measures are compared by their ranks in units of their own spread, which ties make smaller.
    const beside = [
      [1, 4, 2, 5, 3, 6],
      [0, 0, 0, 1, 1, 1],
    ];
    assert.deepEqual(chancesOfHigherRanks(beside, 3), [2 / 20, 1 / 20]);
  });

  test('of many runs it draws divisions at random, and comes to nearly the same', () => {
    const random = seededBy('sets');
    const values = Array.from({ length: 24 }, (_, i) => random() + (i < 12 ? 0 : 0.5));
    const [chance = 1] = chancesOfHigherRanks([values], 12);
    assert.ok(chance < 0.05, String(chance));
    assert.deepEqual(chancesOfHigherRanks([values], 12), [chance]);
    // 514 of all 19,600 divisions rank as high.
    const few = [...Array.from({ length: 47 }, (_, i) => i), 30.5, 40.5, 45.5];
    const [ofFew = 1] = chancesOfHigherRanks([few], 3);
    assert.ok(Math.abs(ofFew - 514 / 19_600) < 0.0025, String(ofFew));
  });

  test('equal sets are told apart in no more than 1 of 100 comparisons', () => {
    const random = seededBy('equal sets');
    let alarms = 0;
    for (let i = 0; i < 2000; i += 1) {
      const slow = Array.from({ length: 12 }, () => 1 / Math.sqrt(1 - random()));
      const measures = [slow, slow.map((one) => one + random()), Array.from({ length: 12 }, random)];
      if (Math.min(...chancesOfHigherRanks(measures, 6)) <= 0.01) alarms += 1;
    }
    assert.ok(alarms <= 32, `${alarms} of 2000`);
  });
});

test('the runs that a set needs: by the ways to divide them, and by the normal approximation', () => {
  assert.deepEqual([0, 1, 2, 3, 10].map(leastRuns), [5, 5, 5, 6, 7]);
  const runs = [0.5, 0.58, 0.6, 0.8, 0.95, 1].map((share) => runsToDecide(share, 3));
  assert.deepEqual(runs, [undefined, undefined, 130, 15, 7, 6]);
  assert.deepEqual([foundEffect(5), foundEffect(6)?.toFixed(3)], [undefined, '2.095']);
  assert.equal(shareOfHigher([1, 2], [2, 3]), 7 / 8);
});
