import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gapRemarks } from './run-remarks.ts';

for (const [numbers, lacks] of [
  [[1, 2, 3], undefined],
  [[1, 1, 2], undefined],
  [[2, 3], '1 exchange: 1. '],
  [[1, 3, 7, 8], '4 exchanges: 2, 4 to 6. '],
] as const) {
  test(`a journal with the exchanges ${numbers.join(', ')} lacks ${lacks ?? 'none'}`, () => {
    const [remark, ...more] = gapRemarks(numbers);
    assert.equal(remark?.startsWith(`The journal lacks ${lacks}`), lacks === undefined ? undefined : true);
    assert.deepEqual(more, []);
  });
}
