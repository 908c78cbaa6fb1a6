import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seeded } from '../../evaluation/testing/suites/limiters.ts';
import type { Point } from './expectations/steady.ts';
import { growthOf } from './expectations/steady.ts';
import { chanceOfHigherRanks } from './rank-test.ts';

const count = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('the chance of higher ranks', () => {
  // Worked by hand: U, its mean n·m/2 and its variance n·m/12·(n+m+1 - Σ(t³-t)/((n+m)(n+m-1))).
  const rows: readonly (readonly [
    name: string,
    higher: readonly number[],
    lower: readonly number[],
    chance: number,
  ])[] = [
    ['all of 10 above all of 10: z = 49.5/√175', count(11, 20), count(1, 10), 9.13e-5],
    ['all of 10 below all of 10: z = -50.5/√175', count(1, 10), count(11, 20), 0.99993],
    [
      'interleaved: U = 45, z = -5.5/√175',
      [1, 3, 5, 7, 9, 11, 13, 15, 17, 19],
      [2, 4, 6, 8, 10, 12, 14, 16, 18, 20],
      0.6612,
    ],
    [
      'half of each tied: U = 75, z = 24.5/√(100/12·(21-3480/380))',
      [...Array(5).fill(1), ...Array(5).fill(2)],
      Array(10).fill(1),
      0.00683,
    ],
    ['all equal: no variance', Array(10).fill(3), Array(10).fill(3), 1],
  ];
  for (const [name, higher, lower, chance] of rows) {
    test(name, () => {
      const got = chanceOfHigherRanks(higher, lower);
      assert.ok(Math.abs(got - chance) <= 0.01 * chance, `${got} instead of ${chance}`);
    });
  }

  test('samples of one heavy-tailed distribution fall below a level about as often as it says', () => {
    const random = seeded(7);
    const draw = (): number => 1 / (1 - random()) ** 2;
    const sample = (size: number): readonly number[] => Array.from({ length: size }, draw);
    const runs = 20_000;
    let below = 0;
    for (let n = 0; n < runs; n += 1) if (chanceOfHigherRanks(sample(12), sample(14)) < 0.01) below += 1;
    assert.ok(below > 0.005 * runs && below < 0.012 * runs, `${below} of ${runs}`);
  });
});

const pointsOf = (count: number, value: (at: number) => number): readonly Point[] =>
  Array.from({ length: count }, (_, at) => ({ at, value: value(at) }));

describe('the growth of values over time', () => {
  test('a straight line is found exactly', () => {
    const line = pointsOf(20, (at) => 5 + 3 * at);
    const exact = { slope: 3, low: 3, high: 3, start: 5, span: 19 };
    assert.deepEqual(growthOf(line), exact);
    assert.deepEqual(growthOf([...line, ...line]), exact, 'two at each time');
  });

  test('outliers do not change it much', () => {
    const growth = growthOf(pointsOf(40, (at) => (at % 10 === 4 ? 10_000 : 5 + 3 * at)));
    assert.ok(growth !== undefined && Math.abs(growth.slope - 3) < 0.5, String(growth?.slope));
    assert.ok(growth.low <= 3 && growth.high >= 3, `${growth.low} to ${growth.high}`);
  });

  test('the interval ends at the slopes that Sen derives: of ten points at the least and the greatest', () => {
    // The slope between two points of a square is the sum of both places; 3.719·√125 = 41.6 of 45 slopes lie between the ends.
    assert.deepEqual(growthOf(pointsOf(10, (at) => at ** 2)), {
      slope: 9,
      low: 1,
      high: 17,
      start: -14,
      span: 9,
    });
    // Of 66 slopes 3.719·√(12·11·29/18) = 54.2: the fifth from either end.
    assert.deepEqual(growthOf(pointsOf(12, (at) => at ** 2)), {
      slope: 11,
      low: 4,
      high: 18,
      start: -21,
      span: 11,
    });
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
