import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUOTA, seriesIn } from '../../../evaluation/testing/rate-limits/steady.ts';
import { counts, falls, gets, workers } from '../../../evaluation/testing/suites/uses.ts';
import { countsSideBySide } from './counts-side-by-side.ts';

const REJECTED = { method: 'POST', status: 400 };

for (const [what, run, found] of [
  ['two workers', workers(), 2],
  ['one count', falls(1, 1, 1, 1), undefined],
  ['a second count that shows only once', counts(...gets(58, 57, 56, 59, 55)), undefined],
  ['a reading that no count explains', counts(...gets(58, 57, 40)), undefined],
  ['two workers and a rejected request that one of them shows', workers({ ...REJECTED, left: 51 }), 2],
  ['a rejected request whose reading no count has', workers({ ...REJECTED, left: 30 }), undefined],
  ['two windows that another client shares', counts(...gets(58, 57, 50, 59, 58, 49, 56, 47)), undefined],
] as const) {
  test(`${what}: ${found ?? 'no'} counts side by side`, () => {
    assert.equal(countsSideBySide(seriesIn(run), QUOTA), found);
  });
}
