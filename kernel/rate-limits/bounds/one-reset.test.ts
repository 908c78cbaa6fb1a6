import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { START, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import type { Quota } from '../quota.ts';
import { advertisedBeyondOneReset, beyondOneReset, withinOneWindow } from './one-reset.ts';

const BUSINESS: Quota = { limit: 1000, windowMs: 60_000 };

/** A response of a Business key. Times are milliseconds; `reset` is seconds after the start. */
const shows = (sent: number, left: number, reset = 60, limit = 1000): StagedExchange => ({
  ...{ sent, received: sent + 5, date: START + Math.floor(sent / 1000) },
  ...{ left, reset, limit },
});

interface Burst {
  readonly requests: number;
  /** When it starts, in milliseconds. It takes half a second. */
  readonly from?: number;
  readonly left?: (i: number) => number;
  readonly reset?: (i: number) => number;
  readonly limit?: number;
}

/** Requests over many parallel connections, behind those of this run. */
function burst({ requests, from = 0, left, reset, limit }: Burst, run = new Synthesis()): Synthesis {
  for (let i = 0; i < requests; i += 1)
    run.add(shows(from + (i * 500) / requests, left?.(i) ?? Math.max(0, 999 - i), reset?.(i), limit));
  return run;
}

/** Two single requests with a pause in which a bucket would give back some of what was used. */
const pair = (second: number): Synthesis => new Synthesis().add(shows(0, 999)).add(shows(2200, second));

const beyond = (run: Synthesis) => beyondOneReset(run.exchanges, BUSINESS)?.accepted;

describe('accepted under one announced Reset', () => {
  const rows: readonly (readonly [name: string, run: Synthesis, accepted: number | undefined])[] = [
    ['the limit', burst({ requests: 1000 }), undefined],
    ['more than that', burst({ requests: 1021 }), 1010],
    ['one more, after nothing flowed back', burst({ requests: 999, from: 2300 }, pair(998)), 1001],
    ['the limit, after nothing flowed back', burst({ requests: 998, from: 2300 }, pair(998)), undefined],
    ['a Reset that is recomputed to the second', burst({ requests: 1021, reset: (i) => 60 + (i % 2) }), 1010],
    ['a Reset that is near', burst({ requests: 1021, reset: () => 3 }), undefined],
    ['headers of a day', burst({ requests: 1021, limit: 100_000 }), undefined],
    [
      'one request, and after a pause as many as just suffice',
      burst({ requests: 1010, from: 20_000 }, new Synthesis().add(shows(0, 999))),
      1010,
    ],
    [
      'a response without headers in between, which may lie in another window',
      burst({ requests: 600, from: 520 }, burst({ requests: 600 }).add({ sent: 505, received: 510 })),
      undefined,
    ],
  ];
  for (const [name, run, accepted] of rows) {
    test(`${name}: ${accepted === undefined ? 'within' : 'beyond'} the limit`, () => {
      assert.equal(beyond(run), accepted);
    });
  }
});

test('a Reset that may be the present time and a window does not show that nothing flows back', () => {
  for (const [second, accepted] of [
    [1200, undefined],
    [2200, 1001],
  ] as const) {
    const run = new Synthesis().add(shows(0, 999)).add(shows(second, 998));
    assert.equal(beyond(burst({ requests: 999, from: second + 100 }, run)), accepted);
  }
});

test('without Date, one Reset shows a window only where it is longer than what rounding hides', () => {
  const { exchanges } = new Synthesis().add({ left: 59, date: null }).add({ left: 58, date: null });
  const [first] = exchanges;
  assert.ok(first !== undefined);
  for (const [windowMs, within] of [
    [60_000, 2],
    [2000, 0],
  ] as const)
    assert.equal(withinOneWindow(exchanges, first, { limit: 60, windowMs }).length, within);
});

test('without Date, a window surely lasts until another Reset, and for half of its length', () => {
  for (const [sent, reset] of [
    [1000, 70],
    [31_000, 60],
  ] as const) {
    const run = new Synthesis().add(
      { ...shows(0, 59), date: null },
      { ...shows(sent, 58, reset), date: null },
    );
    const [first] = run.exchanges;
    assert.ok(first !== undefined);
    assert.deepEqual(withinOneWindow(run.exchanges, first, { limit: 60, windowMs: 60_000 }), [first]);
  }
});

describe('accepted and shown to remain under one announced Reset', () => {
  const promised = (run: Synthesis) => advertisedBeyondOneReset(run.exchanges, BUSINESS)?.remaining;
  const lost = (share: number) => (i: number) => 999 - Math.floor(i * share);
  const rows: readonly (readonly [name: string, run: Synthesis, isBeyond: boolean])[] = [
    ['a few lost, as many as flow back', burst({ requests: 100, left: lost(0.95) }), false],
    [
      'a few lost, and nothing flows back',
      burst({ requests: 200, from: 2300, left: (i) => 997 - Math.floor(i * 0.9) }, pair(998)),
      true,
    ],
  ];
  for (const [name, run, isBeyond] of rows) {
    test(`${name}: ${isBeyond ? 'beyond' : 'within'} the limit`, () => {
      assert.equal(promised(run) !== undefined, isBeyond);
    });
  }
});
