import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUOTA, seriesIn } from '../../../evaluation/testing/rate-limits/steady.ts';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { START, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { fullBeforeReset } from './full-before-reset.ts';

/** A response. `sent` and `reset` are seconds after the start of the run. */
const shows = (sent: number, left: number, reset: number): StagedExchange => ({
  sent: sent * 1000,
  received: sent * 1000 + 4,
  date: START + Math.floor(sent),
  headers: [
    ['X-RateLimit-Limit', '60'],
    ['X-RateLimit-Remaining', String(left)],
    ['X-RateLimit-Reset', String(START + reset)],
  ],
});

/** So many requests from a full quota on, one each tenth of a second, under one Reset. */
function window(run: Synthesis, from: number, count: number, reset: number): Synthesis {
  for (let i = 0; i < count; i += 1) run.add(shows(from + i / 10, 59 - i, reset));
  return run;
}

/** Two windows: 40 requests in the first one, and these in the second one. */
const two = (from: number, count: number, resets: readonly [number, number]): Synthesis =>
  window(window(new Synthesis(), 0, 40, resets[0]), from, count, resets[1]);

for (const [what, run, accepted] of [
  ['a window that ends at its Reset', two(60, 30, [60, 120]), undefined],
  ['one that ends within the rounding of its Reset', two(56.5, 30, [60, 120]), undefined],
  ['one that ends forty seconds before', two(20, 30, [60, 80]), 70],
  ['one that ends early, and few requests after it', two(20, 5, [60, 80]), 45],
  ['a window of the clock that was nearly over', two(4.5, 30, [5, 65]), undefined],
  ['one that ends early, after a pause in which as much flows back', two(50, 30, [60, 110]), undefined],
  [
    'the same, where Remaining showed that nothing flows back',
    window(
      new Synthesis()
        .add(shows(0, 59, 60))
        .add(shows(1.2, 58, 60))
        .add(shows(1.3, 57, 60)),
      50,
      30,
      110,
    ),
    33,
  ],
  [
    'the same of a bucket, which shows 59 twice',
    window(
      new Synthesis()
        .add(shows(0, 59, 60))
        .add(shows(1.2, 59, 60))
        .add(shows(1.3, 58, 60)),
      50,
      30,
      110,
    ),
    undefined,
  ],
  ['the same Reset before and after (RATE-7)', two(20, 30, [60, 60]), undefined],
  ['a Reset beyond a window, of a day', two(20, 30, [600, 680]), undefined],
  [
    'a bucket that gives a piece back before it is full',
    new Synthesis()
      .add(shows(0, 59, 15))
      .add(shows(1, 20, 45))
      .add(shows(15, 34, 45)),
    undefined,
  ],
  [
    'a second count, and the first one again',
    window(two(20, 5, [60, 80]), 21, 1, 80).add(shows(22, 19, 60)),
    undefined,
  ],
  ['a first response that shows use', window(new Synthesis().add(shows(0, 40, 60)), 20, 30, 80), undefined],
] as const) {
  test(`full before Reset: ${what}`, () => {
    assert.equal(fullBeforeReset(seriesIn(run), QUOTA)?.accepted.length, accepted);
  });
}
