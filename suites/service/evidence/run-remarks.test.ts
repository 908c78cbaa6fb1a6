import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberRemarks } from './run-remarks.ts';

for (const [numbers, remark] of [
  [[1, 2, 3], undefined],
  [[2, 3], 'The journal lacks 1 exchange: 1. '],
  [[1, 3, 7, 8], 'The journal lacks 4 exchanges: 2, 4 to 6. '],
  [[1, 1, 2], 'Exchange 1 stands in the journal after a later one, or twice'],
  [[1, 3, 2], 'Exchange 2 stands in the journal after a later one, or twice'],
] as const) {
  test(`a journal with the exchanges ${numbers.join(', ')} has ${remark ?? 'no remark'}`, () => {
    const [found, ...more] = numberRemarks(numbers);
    assert.equal(found?.startsWith(remark ?? ''), remark === undefined ? undefined : true);
    assert.deepEqual(more, []);
  });
}
