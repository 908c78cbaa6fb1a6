import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seeded } from '../../evaluation/testing/suites/seeded.ts';
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
