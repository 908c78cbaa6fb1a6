import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partitions } from './partitions.ts';

test('there are as many ways to divide items as Bell numbers say, each way once', () => {
  for (const [count, bell] of [1, 1, 2, 5, 15, 52].entries()) {
    const found = partitions(Array.from({ length: count }, (_, i) => i));
    const written = found.map((groups) =>
      groups
        .map((group) => group.toSorted().join(''))
        .toSorted()
        .join(' '),
    );
    assert.equal(new Set(written).size, bell);
    assert.equal(found.length, bell);
  }
});
