import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUOTA, seriesIn, shows } from '../../evaluation/testing/rate-limits/steady.ts';
import { START, Synthesis } from '../../evaluation/testing/suites/synthetic.ts';
import { givenBackAtEnd } from './end-of-counter.ts';
import { beyondLimitBeforeRefill } from './exact-limit.ts';
import { beyondLimitInParallel } from './parallel-burst.ts';

/** 61 requests from a second before a minute of the clock on, with a Reset so many seconds after that minute. */
function burst(resetAfter: number, { dates }: { readonly dates: readonly [number, number] }): Synthesis {
  const run = new Synthesis();
  for (let i = 0; i < 61; i += 1) {
    const staged = shows(59_500, 500, Math.max(0, 59 - i));
    run.add({
      ...staged,
      date: START + dates[i < 30 ? 0 : 1],
      headers: (staged.headers ?? []).map(([name, value]) => [
        name,
        name === 'X-RateLimit-Reset' ? String(START + 60 + resetAfter) : value,
      ]),
    });
  }
  return run;
}

for (const [what, resetAfter, dates, back] of [
  [
    'a Reset that may be the present time and a window, and a window that ends between the Dates',
    59,
    [59, 60],
    1,
  ],
  ['the same Reset, and no end of a window', 59, [57, 58], 0],
  ['the same Reset, from the beginning of a window on', 59, [60, 60], 0],
  ['a Reset that is the end of a window', 30, [59, 60], 0],
] as const) {
  test(`${what}: one more than the limit is ${back === 1 ? 'no excess' : 'an excess'}`, () => {
    const run = burst(resetAfter, { dates });
    const accepted = back === 1 ? undefined : 61;
    assert.equal(givenBackAtEnd(run.exchanges, QUOTA), back);
    assert.equal(beyondLimitInParallel(seriesIn(run).at(-1), QUOTA)?.accepted, accepted);
    const alone = beyondLimitBeforeRefill(run.exchanges, [], QUOTA);
    assert.ok(alone !== 'open');
    assert.equal(alone?.accepted, accepted);
  });
}
