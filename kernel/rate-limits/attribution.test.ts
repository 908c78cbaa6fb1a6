import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RUN, Synthesis } from '../../evaluation/testing/suites/synthetic.ts';
import { isRateLimited, used } from '../../evaluation/testing/suites/uses.ts';
import type { DecisionSpan, OpenCause } from './attribution.ts';
import { causeOf429, couldBeRateLimited, first429Of, followsPause, sameWithinOne } from './attribution.ts';
import { seriesOf } from './series.ts';

const retryAfter = (seconds: number) => [['Retry-After', String(seconds)]] as const;

/** So many requests from an untouched limit, then a 429 with this wait, after a pause in seconds. */
const limitedAfter = (count: number, wait: number | undefined, pause = 0, from = 59): Synthesis => {
  const run = new Synthesis();
  for (let i = 0; i < count; i += 1) run.add({ left: Math.max(0, from - i) });
  run.wait(pause).add({ status: 429, date: null, headers: wait === undefined ? [] : retryAfter(wait) });
  return run;
};

/** A 429 with this wait, and another one so many seconds later. */
const limitedTwice = (wait: number | undefined, pause: number): Synthesis =>
  limitedAfter(20, wait)
    .wait(pause)
    .add({ status: 429, headers: retryAfter(30) });

/** So many requests, as many 429 responses that count as well, and another one after their waits. */
function limitedOften(count: number): Synthesis {
  const run = limitedAfter(count, 1);
  for (let i = 1; i < count; i += 1) run.add({ status: 429, headers: retryAfter(1) });
  return run.wait(3).add({ status: 429, headers: retryAfter(50) });
}

/** The key was in use, then rested for so many seconds, and shows the use of others after that. */
const rested = (seconds: number): Synthesis => {
  const run = new Synthesis().add({ left: 40 }).wait(seconds);
  for (let i = 0; i < 20; i += 1) run.add({ left: 50 - i });
  return run.add({ status: 429, headers: retryAfter(50) });
};

/** So many requests, ten seconds apart, of a key that was in use, then a 429. */
const slow = (count: number): Synthesis => {
  const run = new Synthesis();
  for (let i = 0; i < count; i += 1) run.add({ left: 40 }).wait(i === count - 1 ? 1 : 10);
  return run.add({ status: 429, headers: retryAfter(50) });
};

const rows: readonly (readonly [string, Synthesis, OpenCause | 'target'])[] = [
  ['within an untouched limit', limitedAfter(20, 50), 'target'],
  ['after all of it', limitedAfter(60, 50), 'own requests'],
  ['with a wait for the next request', limitedAfter(20, 1), 'next request'],
  ['with such a wait, of a key that was in use', limitedAfter(20, 1, 0, 40), 'next request'],
  ['to two at once, one request too early', used(59).together(2, () => isRateLimited(60)), 'target'],
  ['after as many as the limit, half of them rate-limited', limitedOften(30), 'own requests'],
  ['with a wait of an hour', limitedAfter(20, 3600), 'longer'],
  ['without a wait', limitedAfter(20, undefined), 'unknown'],
  ['of a key that was in use', limitedAfter(20, 50, 0, 40), 'use before the run'],
  ['after a pause in which another client could use less than was left', limitedAfter(38, 50, 10), 'target'],
  ['after one in which it could use more', limitedAfter(41, 50, 10), 'another client'],
  ['after a rest of two windows of a key that was in use', rested(120.1), 'target'],
  ['after a rest of less', rested(119), 'use before the run'],
  ['after use for two windows', slow(13), 'target'],
  ['less than a second after the wait of an earlier one', limitedTwice(5, 5.9), 'a wait that is not over'],
  ['more than a second after it', limitedTwice(5, 6.1), 'target'],
  ['after an earlier one without a wait', limitedTwice(undefined, 20), 'a wait that is not over'],
];

for (const [what, run, cause] of rows) {
  test(`a 429 ${what}: ${cause}`, () => {
    const { exchanges } = run;
    const limited = exchanges.at(-1);
    assert.ok(limited !== undefined);
    const found = causeOf429({ exchanges, series: seriesOf(exchanges, RUN.limits) }, limited, RUN.limits);
    assert.equal(found, cause);
  });
}

for (const [windowMs, pause, lost, follows] of [
  [60_000, 1.9, false, false],
  [60_000, 2.1, false, true],
  [60_000, 1.9, true, true],
  [6000, 0.4, false, false],
  [6000, 0.6, false, true],
] as const) {
  const what = `${pause} s after ${lost ? 'a lost' : 'the last'} response, in a window of ${windowMs / 1000} s`;
  test(`a 429 ${what}: another client had ${follows ? '' : 'no '}time to use the rest`, () => {
    const run = new Synthesis().wait(10).add({ left: 59 });
    if (lost) run.wait(0.2).add({ noResponse: 'timeout' });
    run.wait(pause).add({ status: 429, headers: retryAfter(50) });
    const first = first429Of(seriesOf(run.exchanges, RUN.limits)[0] ?? []);
    assert.ok(first !== undefined);
    assert.equal(followsPause(first, { limit: 60, windowMs }), follows);
  });
}

test('rounds are the same where they differ by one', () => {
  assert.ok(sameWithinOne([3, 4, 3]));
  assert.ok(!sameWithinOne([3, 4, 5]));
});

const at = (sentMs: number): DecisionSpan => ({ from: sentMs, to: sentMs + 1 });

/** So many requests, one every `everyMs`, each a millisecond long. */
const sent = (count: number, everyMs: number, run = new Synthesis()) => {
  for (let i = 0; i < count; i += 1) run.add({ sent: i * everyMs, received: i * everyMs + 1 });
  return run.exchanges;
};

for (const [what, before, limited, holds, possible] of [
  ['after 59 in a row no limiter of 60 does', sent(59, 10), at(600), 60, false],
  ['after 60 in a row any does', sent(60, 10), at(610), 60, true],
  ['so it does for as long as the former window weighs enough', sent(60, 10), at(61_999), 60, true],
  ['a millisecond later none does', sent(60, 10), at(62_000), 60, false],
  // A bucket that holds one request gives the next back after a second.
  ['a second after the last one not even a bucket of one does', sent(30, 1000), at(30_001), 1, false],
  [
    'a response that took long is the last one, whenever its request was sent',
    ...[sent(10, 1000, new Synthesis().add({ sent: 0, received: 28_000 })), at(30_001), 1, false],
  ],
] as const) {
  test(`a 429: ${what}`, () => {
    assert.equal(couldBeRateLimited(limited, before, RUN.limits, holds), possible);
  });
}

test('what a limiter adds by counting in whole seconds is a twentieth of a short window', () => {
  const limits = { ...RUN.limits, minuteSeconds: 2 };
  for (const [moment, possible] of [
    [2133, true],
    [2134, false],
  ] as const)
    assert.equal(couldBeRateLimited(at(moment), sent(60, 10), limits), possible);
});

test('a request without a response may have been decided at any time up to the 429', () => {
  const { exchanges } = new Synthesis().add({ sent: 0, received: 10, noResponse: 'timeout' });
  assert.equal(couldBeRateLimited(at(30_000), exchanges, RUN.limits, 1), true);
});
