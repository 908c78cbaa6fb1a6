import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUOTA, seriesIn, shows } from '../../../evaluation/testing/rate-limits/steady.ts';
import { START, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { beyondLimitInParallel } from './parallel-burst.ts';

/** So many requests at the same time, each `tripMs` long and half a window before Reset; every fifth may say otherwise. */
const burst = (count: number, tripMs: number, fifth: object = {}, sentMs = 30_000): Synthesis => {
  const run = new Synthesis();
  for (let i = 0; i < count; i += 1)
    run.add({ ...shows(sentMs, tripMs, Math.max(0, 59 - i)), ...(i % 5 === 4 ? fifth : {}) });
  return run;
};

for (const [what, run, accepted] of [
  ['as many as the limit', burst(60, 500), undefined],
  ['one more', burst(61, 500), 61],
  ['one more, with a Reset that may follow the clock', burst(61, 500, {}, 0), undefined],
  ['two more, with such a Reset', burst(62, 500, {}, 0), 62],
  ['one more, over a time in which one flows back', burst(61, 1500), undefined],
  ['one more, some of another window', burst(61, 500, { left: 10, date: START + 7, headers: [] }), undefined],
  ['some of them rate-limited', burst(74, 500, { status: 429 }), undefined],
] as const) {
  test(`in parallel, ${what}: ${accepted === undefined ? 'within' : 'beyond'} the limit`, () => {
    assert.equal(beyondLimitInParallel(seriesIn(run).at(-1), QUOTA)?.accepted, accepted);
  });
}
