import assert from 'node:assert/strict';
import { test } from 'node:test';
import { header } from '../../../evaluation/testing/suites/edits.ts';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { exchangeOf, RUN, START, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { isRateLimited } from '../../../evaluation/testing/suites/uses.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { QuotaCount, RetryAfterWait, SmallBucket } from './retry-after-wait.ts';

const WINDOW_SECONDS = 60;

const exchangesOf = (...requests: readonly StagedExchange[]): readonly Exchange[] =>
  new Synthesis().add(...requests).exchanges;

function observed(exchanges: readonly Exchange[]): RetryAfterWait {
  const wait = new RetryAfterWait(WINDOW_SECONDS);
  for (const exchange of exchanges) wait.observe(exchange);
  return wait;
}

const limitedWith = (retryAfter: string): StagedExchange => ({
  status: 429,
  headers: [['Retry-After', retryAfter]],
});
const dateAfter = (seconds: number): string => new Date((START + seconds) * 1000).toUTCString();

for (const [what, request, seconds, stated] of [
  ['whole seconds', limitedWith('7'), 7, true],
  ['no wait at all', limitedWith('0'), 0, true],
  ['an HTTP-date', limitedWith(dateAfter(30)), 30, true],
] as const) {
  test(`a 429 with ${what}`, () => {
    const exchange = exchangeOf(request);
    const { current } = observed([exchange]);
    assert.deepEqual([current?.seconds, current?.stated], [seconds, stated]);
    assert.ok(current !== undefined);
    assert.equal(current.endsAt - exchange.received.mono, seconds * 1000);
  });
}

for (const [what, ahead, seconds] of [
  ['a second beyond the window: until then on our clock', 61, 61],
  ['an hour away, perhaps on another clock: a whole window', 3600, WINDOW_SECONDS],
] as const) {
  test(`a 429 without Date, and with a date ${what}`, () => {
    const undated = exchangesOf(limitedWith(dateAfter(ahead))).map(header('Date'));
    const { current } = observed(undated);
    assert.deepEqual([Math.round(current?.seconds ?? 0), current?.stated], [seconds, false]);
  });
}

test('of several 429 responses before the next wait the longest wait counts', () => {
  const wait = observed(exchangesOf(limitedWith('40'), limitedWith('20'), limitedWith('30')));
  assert.equal(wait.current?.seconds, 40);
  assert.equal(wait.isExhausted, false);
});

test('three waits in a row without a success exhaust it, a success between them does not', () => {
  for (const [more, exhausted] of [
    [[isRateLimited(1)], true],
    [[{ status: 200 }, isRateLimited(1), isRateLimited(1)], false],
  ] as const) {
    const wait = new RetryAfterWait(WINDOW_SECONDS);
    for (const request of [isRateLimited(1), isRateLimited(1), ...more]) {
      for (const exchange of exchangesOf(request)) wait.observe(exchange);
      wait.end();
    }
    assert.equal(wait.isExhausted, exhausted);
    wait.resetCount();
    assert.equal(wait.isExhausted, false);
  }
});

test('the second wait in a row is a second at least', () => {
  const wait = new RetryAfterWait(WINDOW_SECONDS);
  for (const seconds of [0, 1]) {
    for (const exchange of exchangesOf(limitedWith('0'))) wait.observe(exchange);
    assert.equal(wait.current?.seconds, seconds);
    wait.end();
  }
});

test('without a 429 there is no wait', () => {
  assert.equal(observed(exchangesOf({ status: 200 }, { noResponse: 'timeout' })).current, undefined);
});

const LIMIT = 60;

/** The count after so many requests, of which the last one was answered so. */
function countOf(sent: number, last: StagedExchange = {}): QuotaCount {
  const run = new Synthesis();
  for (let i = 1; i < sent; i += 1) run.add({ left: null });
  if (sent > 0) run.add(last);
  const quota = new QuotaCount(LIMIT);
  for (const exchange of run.exchanges) quota.countRequest(exchange);
  return quota;
}

for (const [what, sent, last, allowed] of [
  ['an untouched quota allows all but one', 0, {}, 59],
  ['a higher Remaining than our count does not', 20, { left: 58 }, 39],
  ['headers of another limit do not', 20, { left: 5, limit: 1000 }, 39],
  ['a 429 leaves the last Remaining in force', 20, { status: 429, left: 0 }, 39],
] as const) {
  test(what, () => {
    const quota = countOf(sent, last);
    assert.equal(quota.allows(allowed), true);
    assert.equal(quota.allows(allowed + 1), sent <= 1);
  });
}

test('a Remaining of 0 after an idle window is not trusted, nor any header after it', () => {
  const quota = countOf(1, { left: 0 });
  assert.equal(quota.allows(1), true);
  quota.countRequest(exchangeOf({ left: 0 }));
  assert.equal(quota.allows(57), true);
  assert.equal(quota.allows(58), false);
});

test('a first Remaining that allows fewer than a batch has is trusted afterwards', () => {
  const quota = countOf(1, { left: 5 });
  assert.equal(quota.allows(6), true);
  quota.countRequest(exchangeOf({ left: 4 }));
  assert.equal(quota.allows(3), true);
  assert.equal(quota.allows(4), false);
});

test('after an idle window the count starts anew, and earlier headers do not matter', () => {
  const quota = countOf(40, { left: 3 });
  assert.equal(quota.allows(3), false);
  quota.refill();
  assert.equal(quota.allows(2), true, 'after a wait the last Remaining still holds');
  quota.startAnew();
  assert.equal(quota.allows(59), true);
});

const answered = (count: number, left: number | null = null): readonly StagedExchange[] =>
  Array.from({ length: count }, () => ({ left }));

/** What a bucket is known to hold after these exchanges, and the moment of the last response. */
function after(run: Synthesis) {
  const bucket = new SmallBucket(RUN.limits);
  for (const exchange of run.exchanges) bucket.observe(exchange);
  return { bucket, at: run.exchanges.at(-1)?.received.mono ?? 0 };
}

const used = (count: number, ...then: readonly StagedExchange[]): Synthesis =>
  new Synthesis().add(...answered(count), ...then);
const idle = (left: number): Synthesis => new Synthesis().add(...answered(1, left));

for (const [what, run, capacity, mostAtOnce] of [
  ['no 429', used(10), undefined, undefined],
  ['a 429 that asks for a second after five', used(5, isRateLimited(1)), 5, 4],
  ['a 429 that asks for a minute after five', used(5, isRateLimited(60)), undefined, undefined],
  ['a 429 that asks for a second after the whole limit', used(60, isRateLimited(1)), undefined, undefined],
  [
    'five of seven at the same time, and the 429 responses are read first',
    new Synthesis().together(7, (i) => (i < 2 ? isRateLimited(1) : { left: null })),
    ...([5, 4] as const),
  ],
  ['an idle key with a Remaining of 19, the most of a third of the limit', idle(19), undefined, 20 + 1],
  ['an idle key with a Remaining of 20', idle(20), undefined, undefined],
  ['an idle key with a Remaining of 0, which may be no count at all', idle(0), undefined, undefined],
] as const) {
  test(`what a small bucket holds after ${what}`, () => {
    const { bucket } = after(run);
    assert.deepEqual([bucket.capacity, bucket.mostAtOnce], [capacity, mostAtOnce]);
  });
}

test('after the 429 it waits for each request, and never for more than the bucket holds', () => {
  const { bucket, at } = after(used(5, isRateLimited(1)));
  assert.equal(bucket.secondsUntil(1, at), 1);
  assert.equal(bucket.secondsUntil(1, at + 1000), 0);
  assert.equal(bucket.secondsUntil(3, at + 1000), 2);
  assert.equal(bucket.secondsUntil(60, at), 5);
  assert.equal(bucket.secondsUntil(5, at + 60_000), 0);
});

test('where no 429 showed a bucket it waits for nothing', () => {
  const { bucket, at } = after(used(30));
  assert.equal(bucket.secondsUntil(30, at), 0);
});
