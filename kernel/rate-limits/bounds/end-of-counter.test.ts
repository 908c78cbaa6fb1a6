import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUOTA, shows } from '../../../evaluation/testing/rate-limits/steady.ts';
import { START, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { counterMayTurn } from './end-of-counter.ts';

/** Some requests over this time, whose Resets are so many seconds after the start. */
function requests(overMs: number, resets: readonly number[]): Synthesis {
  const run = new Synthesis();
  for (const [i, reset] of resets.entries()) {
    const staged = shows((i * overMs) / resets.length, 5, 59 - i);
    const headers = (staged.headers ?? []).map(
      ([name, value]) => [name, name === 'X-RateLimit-Reset' ? String(START + reset) : value] as const,
    );
    run.add({ ...staged, headers });
  }
  return run;
}

for (const [what, overMs, resets, may] of [
  ['a Reset a window ahead', 500, [60, 60, 60], true],
  ['the same, to the second', 1500, [60, 60, 61], true],
  ['the same Reset for 2.2 s and more', 3500, [60, 60, 60], false],
  ['a Reset that is less than a window ahead', 500, [30, 30, 30], false],
  ['a Reset that moves', 500, [30, 30, 90], true],
] as const) {
  test(`${what}: a window of a counter ${may ? 'may have ended' : 'has not ended'}`, () => {
    assert.equal(counterMayTurn(requests(overMs, resets).exchanges, QUOTA), may);
  });
}
