import assert from 'node:assert/strict';
import { test } from 'node:test';
import { header } from '../../../evaluation/testing/suites/edits.ts';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { START, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { isRateLimited } from '../../../evaluation/testing/suites/uses.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { RetryAfterWait, secondsUntilEnd } from './retry-after-wait.ts';

const WINDOW_SECONDS = 60;

const exchangesOf = (...requests: readonly StagedExchange[]): readonly Exchange[] => {
  const run = new Synthesis();
  for (const request of requests) run.add(request);
  return run.exchanges;
};

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
  ['no Retry-After: a whole window', { status: 429 }, WINDOW_SECONDS, false],
  ['a malformed Retry-After: a whole window', limitedWith('soon'), WINDOW_SECONDS, false],
] as const) {
  test(`a 429 with ${what}`, () => {
    const [exchange] = exchangesOf(request);
    assert.ok(exchange !== undefined);
    const { current } = observed([exchange]);
    assert.deepEqual([current?.seconds, current?.stated], [seconds, stated]);
    assert.ok(current !== undefined);
    assert.equal(secondsUntilEnd(current, exchange.received.mono), seconds);
  });
}

for (const [what, ahead, seconds] of [
  ['within the window: a whole window', 30, WINDOW_SECONDS],
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
  for (const [between, exhausted] of [
    [[], true],
    [[{ status: 200 }], false],
  ] as const) {
    const wait = new RetryAfterWait(WINDOW_SECONDS);
    for (const request of [isRateLimited(1), isRateLimited(1), ...between, isRateLimited(1)]) {
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
