import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Synthesis } from '../../evaluation/testing/suites/synthetic.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { dateHeaderSeconds } from '../exchanges/rate-headers.ts';
import { clockProblem, isDateStanding, withUsableDates } from './clocks.ts';

const SKEW_SECONDS = 2;

/** How far the clocks are ahead of the monotonic one; no Date where that is undefined. */
type Clocks = (second: number) => { readonly wallMs?: number; readonly dateMs?: number | undefined };

/** A response of every second. */
function exchangesWith(seconds: number, clocks: Clocks): readonly Exchange[] {
  const { exchanges } = Array.from({ length: seconds }).reduce(
    (run: Synthesis, _, i) => run.add({ left: 59 - i }).wait(1),
    new Synthesis(),
  );
  return exchanges.map((exchange, i) => {
    const { wallMs = 0, dateMs } = clocks(i);
    const ahead = (at: Exchange['sent']) => ({ ...at, wall: at.wall + wallMs });
    const { outcome } = exchange;
    if (outcome.kind !== 'answer') return exchange;
    const headers = outcome.headers.filter(([name]) => name !== 'Date');
    const date = new Date(exchange.sent.wall + (dateMs ?? 0)).toUTCString();
    const dated = dateMs === undefined ? headers : [...headers, ['Date', date] as const];
    return {
      ...exchange,
      sent: ahead(exchange.sent),
      received: ahead(exchange.received),
      outcome: { ...outcome, headers: dated },
    };
  });
}

/** So many milliseconds from the tenth response on. */
const from9 = (ms: number) => (i: number) => (i < 9 ? 0 : ms);
const [ahead, back] = [from9(61_000), from9(-61_000)];

for (const [what, kind, clocks] of [
  ['clocks that agree', undefined, () => ({ dateMs: 0 })],
  ['a wall clock that is set ahead', undefined, (i) => ({ wallMs: ahead(i), dateMs: 0 })],
  ['a wall clock that is set back', undefined, (i) => ({ wallMs: back(i), dateMs: 0 })],
  ['a Date that alternates between two clocks', undefined, (i) => ({ dateMs: i % 2 === 0 ? 0 : -20_000 })],
  ['a Date that stands still', undefined, (i) => ({ dateMs: -1000 * i })],
  ['a runner that is suspended', 'suspended', (i) => ({ wallMs: ahead(i), dateMs: ahead(i) })],
  ['a wall clock that gains, and no Date', 'suspended', (i) => ({ wallMs: ahead(i) })],
  ['a Date that is set ahead', 'set', (i) => ({ dateMs: from9(30_000)(i) })],
] as readonly (readonly [what: string, kind: string | undefined, clocks: Clocks])[]) {
  test(`${what}: ${kind ?? 'the clocks kept time'}`, () => {
    const problem = clockProblem(withUsableDates(exchangesWith(20, clocks)), SKEW_SECONDS);
    assert.equal(problem?.kind, kind);
    const between = problem?.between.map(({ n }) => n);
    assert.deepEqual(between, kind === undefined ? undefined : [9, 10]);
  });
}

test('a wall clock that is set back while two requests are under way does not gain', () => {
  const { exchanges } = new Synthesis().together(2, () => ({}));
  const setBack = exchanges.map((one) => ({
    ...one,
    received: { ...one.received, wall: one.received.wall - 2000 },
  }));
  assert.equal(clockProblem(setBack, SKEW_SECONDS), undefined);
});

test('a Date that stands still is left out, and one that advances is kept', () => {
  const standing = exchangesWith(20, (i) => ({ dateMs: -1000 * i }));
  assert.ok(isDateStanding(standing));
  assert.ok(withUsableDates(standing).every((one) => dateHeaderSeconds(one) === undefined));
  const advancing = exchangesWith(20, () => ({ dateMs: 0 }));
  assert.equal(withUsableDates(advancing), advancing);
});
