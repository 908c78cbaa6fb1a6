import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUOTA } from '../../../evaluation/testing/rate-limits/steady.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { acceptedBetween429s } from './between-429s.ts';

/**
 * One request for each letter, each so many milliseconds long: `a` accepted, `r` rate-limited, `n` not found, `u` not
 * authenticated, `x` without a response; ten seconds pass at a dot.
 */
function sent(letters: string, milliseconds = 2, afterSeconds = 0): Synthesis {
  const status: Readonly<Record<string, number>> = { a: 200, r: 429, n: 404, u: 401 };
  const run = new Synthesis().add({}).wait(afterSeconds);
  for (const letter of letters) {
    if (letter === '.') run.wait(10);
    else
      run
        .add(letter === 'x' ? { noResponse: 'timeout' } : { status: status[letter] ?? 200 })
        .wait((milliseconds - 2) / 1000);
  }
  return run;
}

const isCounted = (): boolean => true;

for (const [what, run, accepted] of [
  ['every second request', sent('arararar'), 3],
  ['two after one 429', sent('rararr'), undefined],
  ['a piece of five that is used at once', sent('raaaaarrrr'), undefined],
  ['the same piece with a 401 in it', sent('raauaaarrrr'), undefined],
  ['the same piece with a lost response in it', sent('raaxaaarrrr'), undefined],
  ['every second request, after a 429 that ten seconds followed', sent('r.rararar'), 3],
  ['two pieces of two within milliseconds', sent('raarrraarr'), 4],
  ['every second request, so slowly that as many flow back', sent('rarararararar', 500), undefined],
  ['every second request, at the end of the window', sent('rarararar', 2, 31), undefined],
  ['no second 429', sent('raaaaaaa'), undefined],
  ['none', sent('rrrrrr'), undefined],
  ['paths that do not exist', sent('rnrnrnrnrnr'), undefined],
] as const) {
  test(`accepted between 429 responses: ${what}`, () => {
    assert.equal(acceptedBetween429s(run.exchanges, isCounted, QUOTA)?.accepted.length, accepted);
  });
}

test('a response that may come from a router does not count, but separates no other two', () => {
  const run = sent('rararararar');
  assert.equal(
    acceptedBetween429s(run.exchanges, () => false, QUOTA),
    undefined,
  );
});
