import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUOTA, seriesIn } from '../../../evaluation/testing/rate-limits/steady.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { counts, falls, gets, lost } from '../../../evaluation/testing/suites/uses.ts';
import { findMiscount, refilledTooOften } from './impossible-gain.ts';

for (const [what, run, unexplained] of [
  ['an exact count', falls(1, 1, 1, 1), undefined],
  ['a window that begins anew once', falls(1, 1, 1, -3, 1, 1), undefined],
  ['two gains, each of one request, as rounding has them', falls(1, 0, 1, 0, 1), undefined],
  ['a window that begins anew twice', falls(...Array(10).fill(1), -9, ...Array(10).fill(1), -9), 8],
  ['requests that are never counted', falls(0, 0, 0, 0, 0), 1],
  ['parallel requests that are counted once each', lost(), 3],
] as const) {
  test(`${what}: ${unexplained === undefined ? 'no impossible gain' : `${unexplained} unexplained`}`, () => {
    assert.equal(findMiscount(seriesIn(run), QUOTA)?.unexplained, unexplained);
  });
}

/** Ten requests, those of another client among them, and later as many as stated, which leave Remaining as it is. */
function unchanged(later: number, afterSeconds: number, others = 0): Synthesis {
  const last = 50 - others;
  const run = counts(...gets(58, 57, ...[56, 55, 54, 53, 52, 51, 50].map((left) => left - others))).wait(
    afterSeconds,
  );
  for (let i = 0; i < later; i += 1) run.add({ left: last });
  return run;
}

for (const [what, run, unexplained] of [
  ['a window later a log gives back each request', unchanged(9, 60), undefined],
  ['half a window later a window with two steps gives them back', unchanged(9, 31), undefined],
  ['half a window later it gives back those of another client as well', unchanged(14, 31, 5), undefined],
  ['half a window later it gives back no more than that', unchanged(17, 31, 5), 1],
  ['a window later no log gives back more than it has', unchanged(15, 60), 1],
] as const) {
  test(`${what}: ${unexplained === undefined ? 'no impossible gain' : `${unexplained} unexplained`}`, () => {
    assert.equal(findMiscount(seriesIn(run), QUOTA)?.unexplained, unexplained);
  });
}

/** Early requests, then some around the end of the window: the count is lost five seconds before it, and it begins anew. */
function lostLate(first: number, beforeLoss: number): Synthesis {
  const run = new Synthesis().add({ left: first });
  for (let i = 1; i < 20; i += 1) run.add({ left: first - i });
  run.wait(54);
  for (let i = 0; i < 4; i += 1) run.wait(0.4).add({ left: beforeLoss - i });
  for (let i = 0; i < 12; i += 1) run.wait(0.4).add({ left: 59 - i });
  for (let i = 0; i < 5; i += 1) run.wait(0.4).add({ left: 59 - i });
  return run;
}

for (const [what, run, unexplained] of [
  ['a count that is lost late in a window that ends as announced', lostLate(59, 39), 4],
  ['the same of a bucket that is full after the pause', lostLate(59, 59), undefined],
  ['the same where another client had used the key before', lostLate(49, 29), undefined],
] as const) {
  test(`${what}: ${unexplained === undefined ? 'no impossible gain' : `${unexplained} unexplained`}`, () => {
    assert.equal(findMiscount(seriesIn(run), QUOTA)?.unexplained, unexplained);
  });
}

test('a limit that is full again in the middle of parallel requests, twice, is found', () => {
  const run = counts(...gets(58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44));
  run.together(3, (i) => ({ left: i === 0 ? 59 : 43 }));
  for (let left = 42; left > 25; left -= 1) run.add({ left });
  run.together(3, (i) => ({ left: i === 0 ? 59 : 24 }));
  assert.ok(refilledTooOften(seriesIn(run), QUOTA) !== undefined);
  assert.equal(refilledTooOften(seriesIn(counts(...gets(58, 57))), QUOTA), undefined);
});
