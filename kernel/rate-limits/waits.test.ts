import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StagedExchange } from '../../evaluation/testing/suites/synthetic.ts';
import { exchangeOf, START, Synthesis } from '../../evaluation/testing/suites/synthetic.ts';
import { retryOutcome, waitedOutEvery429, waitScale, waitsBesideReset } from './waits.ts';

const limitedFor = (wait: string | number, more: StagedExchange = {}): StagedExchange => ({
  status: 429,
  headers: [['Retry-After', String(wait)]],
  ...more,
});

/** What a 429 and what followed it, each so many seconds later, show. */
function outcomeOf(...sequence: readonly (readonly [number, StagedExchange])[]): string {
  const run = new Synthesis();
  for (const [seconds, told] of sequence) run.wait(seconds).add(told);
  const [limited, first, second] = run.exchanges;
  assert.ok(limited !== undefined);
  const found = retryOutcome({ limited: [limited], first, second });
  if (found.kind === 'in another unit') return `${found.kind}: ${found.confirmed}`;
  return 'result' in found ? `${found.kind}: ${found.result}` : found.kind;
}

/** 60 seconds in milliseconds, beside a Reset that says so. */
const inMilliseconds = limitedFor(60_000, { date: START, left: 0 });

for (const [expected, ...sequence] of [
  ['no usable Retry-After', [0, limitedFor('soon')], [60, {}]],
  ['not retried', [0, limitedFor(60)]],
  ['retried too early', [0, limitedFor(60)], [59, {}]],
  ['not rate-limited', [0, limitedFor(60)], [60, {}]],
  ['not rate-limited', [0, limitedFor(60)], [60, { noResponse: 'timeout' }]],
  ['rate-limited again: open', [0, limitedFor(60)], [60, limitedFor(1)]],
  ['rate-limited again: open', [0, limitedFor(60)], [60, limitedFor(1)], [1, { noResponse: 'reset' }]],
  ['rate-limited again: open', [0, limitedFor(60)], [60, limitedFor(5)], [4, limitedFor(1)]],
  ['rate-limited again: not rate-limited', [0, limitedFor(60)], [60, limitedFor(1)], [1, {}]],
  // A wait of 0 is waited out in a second.
  ['rate-limited again: open', [0, limitedFor(0)], [0, limitedFor(0)], [0.5, limitedFor(0)]],
  ['in another unit: false', [0, inMilliseconds], [30, {}]],
  ['in another unit: false', [0, inMilliseconds], [61, limitedFor(1)]],
] as readonly (readonly [string, ...(readonly [number, StagedExchange])[]])[]) {
  test(`${sequence.map(([seconds, { status = 200, noResponse }]) => `${noResponse ?? status} after ${seconds} s`).join(', ')}: ${expected}`, () => {
    assert.equal(outcomeOf(...sequence), expected);
  });
}

test('a request at the very end of a wait has waited long enough', () => {
  const at = (sent: number, told: StagedExchange) => [0, { ...told, sent, received: sent + 10 }] as const;
  const outcome = outcomeOf(at(0, limitedFor(60)), at(60_010, limitedFor(1)), at(61_020, limitedFor(1)));
  assert.equal(outcome, 'rate-limited again: rate-limited twice');
});

test('a client that waits only in the apparent unit has not waited out the literal wait', () => {
  const run = new Synthesis().add(inMilliseconds).wait(61).add({});
  assert.equal(waitedOutEvery429(run.exchanges), false);
  assert.equal(waitedOutEvery429(new Synthesis().add(limitedFor(60)).wait(60).add({}).exchanges), true);
});

const date = (seconds: number): string => new Date((START + seconds) * 1000).toUTCString();

for (const [what, after, resetIn, dated, beside] of [
  ['ends at Reset', '40', 40, true, false],
  ['ends within rounding of it', '42', 40, true, false],
  ['ends beyond rounding of it', '43', 40, true, true],
  ['of a day that gives back little by little', '20', 40, true, true],
  ['ends at Reset by our clock, without a Date', '40', 40, false, false],
  ['is another date than Reset, without a Date', date(20), 40, false, true],
] as const)
  test(`a wait that ${what} ${beside ? 'may be' : 'is not'} about a limit that no header shows`, () => {
    const limited = limitedFor(after, { left: 0, resetIn, ...(dated ? {} : { date: null }) });
    assert.equal(waitsBesideReset(exchangeOf(limited)), beside);
  });

const limitsOf = (perMinute: number) => ({ perMinute, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 });

for (const [what, after, scale, perMinute, limit, left] of [
  ['no wait', undefined, 'unknown', 60, 60, null],
  ['a second longer', '3', 'window', 60, 60, 0],
  ['the same of a slower plan, whose interval is no whole second', '10', 'next request', 7, 7, 0],
  ['a second longer of that plan', '11', 'window', 7, 7, 0],
  ['a window, rounded up', '62', 'window', 60, 60, 0],
  ['a second longer than that', '63', 'longer', 60, 60, 0],
  ['a day that is used, and a short wait', '1', 'longer', 60, 1000, 0],
  ['a day of which requests are left, and a short wait', '1', 'next request', 60, 1000, 1],
] as const)
  test(`the scale of a 429 that announces ${what}: ${scale}`, () => {
    const headers = after === undefined ? [] : ([['Retry-After', after]] as const);
    const limited = exchangeOf({ status: 429, left, limit, headers });
    assert.equal(waitScale(limited, limitsOf(perMinute)), scale);
  });
