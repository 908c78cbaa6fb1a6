import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countingDown, QUOTA, steady } from '../../../evaluation/testing/rate-limits/steady.ts';
import { beyondTwiceTheLimit } from './twice-the-limit.ts';

// requests, milliseconds between them, whether more than 2 * 60 and what flows back were accepted
for (const [count, everyMs, exceeds] of [
  [120, 1, false],
  [121, 1, true],
  // One a second flows back: 20 s allow 20 more.
  [139, 143, false],
  [142, 143, true],
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
