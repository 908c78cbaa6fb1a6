import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greatest, groupedBy, least, thinned } from './collections.ts';

test('groups keep the order in which their keys first came', () => {
  assert.deepEqual(
    [...groupedBy(['b1', 'a1', 'b2'], (text) => text[0])],
    [
      ['b', ['b1', 'b2']],
      ['a', ['a1']],
    ],
  );
});

test('extremes are found of more numbers than a call takes, and of none', () => {
  const many = Array.from({ length: 300_000 }, (_, i) => i);
  assert.deepEqual([least(many), greatest(many)], [0, 299_999]);
  assert.deepEqual([least([]), greatest([])], [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
});

test('a selection is even, keeps the order and leaves a short list as it is', () => {
  assert.deepEqual(thinned([1, 2, 3, 4, 5, 6], 3), [1, 3, 5]);
  assert.deepEqual(thinned([1, 2], 3), [1, 2]);
});
