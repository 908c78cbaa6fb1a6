import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transitionsIn } from '../../../evaluation/testing/rate-limits/steady.ts';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { counts, falls, gets, posts } from '../../../evaluation/testing/suites/uses.ts';
import { constantCostOf, freeMethodOf } from './constant-cost.ts';

const BAD = { cost: 2, of: 'request answered 400' };

/** Invalid creations, each of which is counted again after its response. */
const rejected = (count: number): readonly StagedExchange[] =>
  Array.from({ length: count }, (_, i) => ({ method: 'POST', status: 400, left: 58 - 2 * i }));

for (const [what, run, found] of [
  ['two each', falls(2, 2, 2, 2), { cost: 2, of: 'request' }],
  ['two each, too few times', falls(2, 2, 2), undefined],
  ['not the same each time', falls(2, 2, 3, 2, 2), undefined],
  ['not the same once', falls(2, 2, 2, 2, 1), undefined],
  ['one each, but for one fall that nothing explains', falls(1, 1, 5, 1, 1), undefined],
  ['creations alone', counts(...posts(57, 55, 53, 51), ...gets(50, 49)), { cost: 2, of: 'POST' }],
  ['invalid bodies, seen in the next response', counts(...rejected(8), ...gets(42, 41, 40)), BAD],
  ['invalid bodies, too few of them', counts(...rejected(7), ...gets(44, 43)), undefined],
  ['one each', falls(1, 1, 1, 1), undefined],
] as const) {
  test(`a constant cost: ${what}`, () => assert.deepEqual(constantCostOf(transitionsIn(run)), found));
}

test('the method whose requests are free is found', () => {
  assert.equal(freeMethodOf(transitionsIn(counts(...posts(59, 59, 59), ...gets(58, 57)))), 'POST');
  assert.equal(freeMethodOf(transitionsIn(falls(1, 1, 1))), undefined);
  assert.equal(freeMethodOf(transitionsIn(counts(...posts(59, 59, 59), ...gets(58, 50, 49)))), undefined);
});
