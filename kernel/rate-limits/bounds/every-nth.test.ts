import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transitionsIn } from '../../../evaluation/testing/rate-limits/steady.ts';
import { counts } from '../../../evaluation/testing/suites/uses.ts';
import { everyNthCountedOnceMore } from './every-nth.ts';

/** Requests that each take one, every fifth of them two; after each fifth a pause of so many milliseconds. */
function everyFifth(pausesMs: readonly number[]) {
  const run = counts();
  let left = 59;
  for (const [block, pause] of pausesMs.entries()) {
    for (let i = 0; i < 5; i += 1) {
      left -= (5 * block + i) % 5 === 3 ? 2 : 1;
      run.add({ left });
    }
    run.wait(pause / 1000);
  }
  return transitionsIn(run);
}

const UNEVEN = [1, 90, 3, 40, 700, 2, 130, 1];

for (const [what, changes, mostChance, nth] of [
  ['at uneven times', everyFifth(UNEVEN), 1e-6, 5],
  ['sooner and later in turn', everyFifth([20, 300, 20, 300, 20, 300, 20, 300]), 1e-6, 5],
  ['at even times, as a client with a timer', everyFifth(Array(8).fill(100)), 1e-6, undefined],
  ['only once', everyFifth([1]), 1e-6, undefined],
  ['where chance would be enough', everyFifth(UNEVEN), 1e-12, undefined],
] as const) {
  test(`every fifth request counts once more, ${what}: ${nth ?? 'not found'}`, () => {
    assert.equal(everyNthCountedOnceMore(changes, mostChance), nth);
  });
}
