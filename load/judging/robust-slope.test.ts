import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seeded } from '../../evaluation/testing/suites/seeded.ts';
import type { Point } from './robust-slope.ts';
import { growthOf } from './robust-slope.ts';

const pointsOf = (count: number, value: (at: number) => number): readonly Point[] =>
  Array.from({ length: count }, (_, at) => ({ at, value: value(at) }));

describe('the growth of values over time', () => {
  test('a straight line is found exactly', () => {
    assert.deepEqual(growthOf(pointsOf(20, (at) => 5 + 3 * at)), { slope: 3, low: 3, high: 3, start: 5 });
  });

  test('outliers do not change it much', () => {
    const growth = growthOf(pointsOf(40, (at) => (at % 10 === 4 ? 10_000 : 5 + 3 * at)));
    assert.ok(growth !== undefined && Math.abs(growth.slope - 3) < 0.5, String(growth?.slope));
    assert.ok(growth.low <= 3 && growth.high >= 3, `${growth.low} to ${growth.high}`);
  });

  test('the median of an even number of slopes is the mean of the two in the middle', () => {
    // Sen, worked by hand: of the 45 slopes of ten points with one step, 9 + 16 = 25 lie below 1.
    const growth = growthOf(pointsOf(10, (at) => (at < 5 ? 0 : 5)));
    assert.ok(growth !== undefined && growth.low === 0 && growth.slope > 0 && growth.high >= 5 / 2);
  });

  test('fewer than ten points bound nothing', () => {
    assert.equal(growthOf(pointsOf(9, (at) => at)), undefined);
    assert.notEqual(growthOf(pointsOf(10, (at) => at)), undefined);
  });

  test('points of one heavy-tailed distribution almost never show growth', () => {
    const random = seeded(11);
    const runs = 5000;
    let grew = 0;
    for (let run = 0; run < runs; run += 1) {
      const growth = growthOf(pointsOf(16, () => 1 / (1 - random()) ** 2));
      if ((growth?.low ?? 0) > 0) grew += 1;
    }
    assert.ok(grew <= 3, `${grew} of ${runs}, at a level of 1 in 10,000`);
  });
});
