import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUOTA, seriesIn } from '../../../evaluation/testing/rate-limits/steady.ts';
import { counts, posts } from '../../../evaluation/testing/suites/uses.ts';
import { oneKindOfAnswer } from './one-kind-of-answer.ts';

/** Lists and creations without a period; what a creation shows follows from what remains. */
function inOrder(order: string, shown: (left: number) => number) {
  const run = counts();
  let left = 59;
  for (const kind of order) {
    left -= 1;
    run.add(kind === 'P' ? (posts(shown(left))[0] ?? {}) : { left });
  }
  return seriesIn(run);
}

const LONG = 'LPLLPPLLLPLPPLLPLLLPLPLLPPLLLPLPL';

for (const [what, series, shows] of [
  ['one less', inOrder(LONG, (left) => left - 1), 'less'],
  ['zero', inOrder(LONG, () => 0), 'less'],
  ['one more', inOrder(LONG, (left) => left + 1), 'more'],
  ['what remains', inOrder(LONG, (left) => left), undefined],
  // Two creations may be chance.
  ['one less, but only twice', inOrder('LLPLLLPLL', (left) => left - 1), undefined],
] as const) {
  test(`creations that show ${what}: ${shows ?? 'no kind'} deviates`, () => {
    const found = oneKindOfAnswer(series, QUOTA, 1e-6);
    assert.deepEqual(found, shows === undefined ? undefined : { of: 'POST', shows });
  });
}
