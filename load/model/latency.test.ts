import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ascending, quantile } from './latency.ts';

test('a quantile is the nearest rank: a value that was measured', () => {
  const sorted = ascending([5, 1, 4, 2, 3]);
  assert.deepEqual(
    [0, 0.2, 0.21, 0.5, 0.99, 1].map((share) => quantile(sorted, share)),
    [1, 1, 2, 3, 5, 5],
  );
});
