import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RUN, Synthesis } from '../../evaluation/testing/suites/synthetic.ts';
import {
  byKind,
  counts,
  everyFifth,
  falls,
  gets,
  lost,
  posts,
  workers,
} from '../../evaluation/testing/suites/uses.ts';
import { explainDiscrepancy } from './explanation.ts';
import { minuteQuota } from './quota.ts';
import { ofKey, stepsOf } from './series.ts';

const quota = minuteQuota(RUN.limits);

function explained({ exchanges }: Synthesis, exclusive = false) {
  const series = stepsOf(ofKey(exchanges));
  return explainDiscrepancy(series, quota, {
    others: exchanges.filter(({ caller }) => caller !== 'key'),
    everywhere: [series],
    exclusive,
  })?.explanation;
}

/** Two requests with the key, and between them `among` requests without one. */
const amongUnauthenticated = (fall: number, among: number): Synthesis => {
  const run = counts();
  let left = 59;
  for (let i = 0; i < 4; i += 1) {
    for (let k = 0; k < among; k += 1)
      run.add({ caller: 'unauthenticated', status: 401, left: 5, limit: 30 });
    left -= fall;
    run.add({ left });
  }
  return run;
};

/** Batches of six parallel requests of which the limiter counts one, under one Reset, after a pause in which nothing flows back. */
function lostUnderOneReset(): Synthesis {
  const run = new Synthesis().add({ left: 59, reset: 60 }).wait(2.2).add({ left: 58, reset: 60 });
  for (const left of [56, 54, 52])
    run.together(6, () => ({ left: left + 1, reset: 60 })).add({ left, reset: 60 });
  return run;
}

/** Batches of six parallel requests before each of which the limit is full again. */
const restored = (): Synthesis => {
  const run = counts(...gets(58));
  for (let i = 0; i < 3; i += 1) run.together(6, (at) => ({ left: 59 - at })).add({ left: 53 });
  return run;
};

/** An order without a period. */
const ORDER = 'LPLLPPLLLPLPPLLPLLLPLPLLPPLLLPLPL';
const POST_LESS = (left: number) => left - 1;
const POST_ZERO = () => 0;
const POST_MORE = (left: number) => left + 1;

const UNEVEN = [1, 90, 3, 40, 700, 2, 130, 1];

const faults = [
  ['separate counters', counts(...gets(58, 57, 56, 55), ...posts(59, 58), ...gets(54), ...posts(57))],
  ['counts side by side', workers()],
  ['one kind of answer', byKind(ORDER, POST_LESS)],
  ['one kind of answer', byKind(ORDER, POST_ZERO)],
  ['one kind of answer', byKind(ORDER, POST_MORE)],
  ['every nth counts once more', everyFifth(UNEVEN)],
  // At even distances in time it may as well be another client that keeps time.
  ['fell beyond use', everyFifth([100, 100, 100, 100, 100, 100, 100, 100])],
  // Twice in a row may be chance.
  ['fell beyond use', counts(...gets(58, 57), ...posts(55), ...gets(55, 54), ...posts(52), ...gets(52))],
  // A window that begins anew loses nothing.
  ['lost under concurrency', lost().add(...gets(59, 58))],
  ['lost under concurrency', lostUnderOneReset().add({ left: 59, reset: 120 })],
  // Each of them is counted, and the limit is full again between them.
  ['not counted', restored()],
  ['each request costs several', falls(2, 2, 2, 2, 2)],
  ['counted together', amongUnauthenticated(3, 2)],
  ['fell beyond use', falls(1, 4, 1, 1, 3)],
  // Two counters would explain it as well, but so do one counter and another client.
  [
    'fell beyond use',
    counts({ noResponse: 'timeout' }, { noResponse: 'timeout' }, ...posts(59), ...gets(56)),
  ],
] as const;

for (const [kind, run] of faults) {
  test(`${kind} is found out (${run.exchanges.length} requests)`, () => {
    const found = explained(run);
    assert.equal(found?.kind, kind);
    if (found?.kind === 'separate counters') assert.equal(found.by, 'operation');
    if (found?.kind === 'each request costs several')
      assert.deepEqual([found.cost, found.of], [2, 'request']);
  });
}

test('without a rise that no limiter makes, two counters show at the third switch; of a key that no other client uses earlier', () => {
  const twice = counts(...gets(58, 57, 56), ...posts(59, 58), ...gets(55));
  assert.equal(explained(twice)?.kind, 'fell beyond use');
  assert.equal(explained(twice, true)?.kind, 'separate counters');
  const again = counts(...gets(58, 57, 56), ...posts(59, 58), ...gets(55), ...posts(57));
  assert.equal(explained(again)?.kind, 'separate counters');
});

test('an exact count, one window that begins anew, and unauthenticated requests that are free need no explanation', () => {
  assert.equal(explained(falls(1, 1, 1, 1)), undefined);
  assert.equal(explained(falls(1, 1, 1, -2, 1, 1)), undefined);
  assert.equal(explained(amongUnauthenticated(1, 2)), undefined);
});

test('a method whose requests are never counted is named, and none where each is counted at times', () => {
  const notCounted = { kind: 'not counted', unexplained: 1 } as const;
  assert.deepEqual(explained(falls(0, 0, 0, 0, 0)), { ...notCounted, of: 'GET' });
  assert.deepEqual(explained(counts(...posts(59, 59, 59, 59, 59, 59), ...gets(58, 57))), {
    ...notCounted,
    of: 'POST',
  });
  assert.deepEqual(explained(falls(1, 0, 0, 1, 0, 0, 0, 1, 0)), notCounted);
  assert.deepEqual(explained(counts(...gets(59, 59), ...posts(59, 59), ...gets(59, 59))), notCounted);
});
