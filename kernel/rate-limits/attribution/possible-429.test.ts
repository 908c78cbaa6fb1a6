import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RUN, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import type { DecisionSpan } from './possible-429.ts';
import { couldBeRateLimited } from './possible-429.ts';

const at = (sentMs: number): DecisionSpan => ({ from: sentMs, to: sentMs + 1 });

/** So many requests, one every `everyMs`, each a millisecond long. */
const sent = (count: number, everyMs: number) => {
  const run = new Synthesis();
  for (let i = 0; i < count; i += 1) run.add({ sent: i * everyMs, received: i * everyMs + 1 });
  return run.exchanges;
};

for (const [what, before, limited, holds, possible] of [
  ['after 59 in a row no limiter of 60 does', sent(59, 10), at(600), 60, false],
  ['after 60 in a row any does', sent(60, 10), at(610), 60, true],
  ['after 60 in two minutes none does', sent(60, 2000), at(120_500), 60, false],
  // The former window of a sliding counter weighs almost all just after its edge.
  ['after 60 at the end of the former window a sliding counter does', sent(60, 10), at(61_200), 60, true],
  ['after two windows nothing remembers them', sent(60, 10), at(122_000), 60, false],
  // A bucket that holds one request gives the next back after a second.
  ['a second after the last one not even a bucket of one does', sent(30, 1000), at(30_001), 1, false],
  ['half a second after the last one a bucket of one does', sent(30, 1000), at(29_500), 1, true],
] as const) {
  test(`a 429: ${what}`, () => {
    assert.equal(couldBeRateLimited(limited, before, RUN.limits, holds), possible);
  });
}

test('a request without a response may have been decided at any time up to the 429', () => {
  const { exchanges } = new Synthesis().add({ sent: 0, received: 10, noResponse: 'timeout' });
  assert.equal(couldBeRateLimited(at(30_000), exchanges, RUN.limits, 1), true);
});
