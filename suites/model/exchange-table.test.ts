import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, Exchange, HeaderLine } from '../../exchanges/exchange.ts';
import { ExchangeTable } from './exchange-table.ts';
import { Sharing } from './sharing.ts';

const headers = (n: number, more: readonly HeaderLine[] = []): readonly HeaderLine[] => [
  ['Content-Type', 'application/json'],
  ['X-RateLimit-Remaining', String(n % 1000)],
  ['Date', `second ${Math.floor(n / 50)}`],
  ...more,
];

const exchange = (n: number, more: Partial<Answer> = {}): Exchange => ({
  kind: 'exchange',
  n,
  probe: 'exhaust-quota',
  step: 'one by one',
  caller: 'key',
  connection: { id: n % 7, fresh: n % 3 === 0 },
  request: { method: 'GET', target: '/v1/categories', headers: [['Accept', 'application/json']], body: null },
  sent: { wall: 1_795_255_207_250.4 + n, mono: n / 3 },
  received: { wall: 1_795_255_207_251.7 + n, mono: n / 3 + 0.1 },
  outcome: {
    kind: 'answer',
    status: 200,
    headers: headers(n),
    body: { text: '[]', encoding: 'utf8', bytes: 2, cut: false },
    ...more,
  },
});

const manyLines = (n: number, count: number): readonly HeaderLine[] =>
  Array.from({ length: count }, (_, i): HeaderLine => [`X-${i}`, i % 4 === 0 ? String(n) : 'same']);

/** Each kind of exchange there is, next to any other, over the edges of a block. */
const kinds: readonly ((n: number) => Exchange)[] = [
  exchange,
  exchange,
  (n) => exchange(n, { status: 201 }),
  (n) => exchange(n, { broken: 'reset after 2 bytes' }),
  (n) => exchange(n, { headers: [] }),
  (n) => exchange(n, { headers: headers(n, [['X-Request-Id', `id ${n}`]]) }),
  (n) => exchange(n, { headers: headers(n, manyLines(n, 28)) }),
  (n) => exchange(n, { headers: headers(n, manyLines(n, 29)) }),
  (n) => exchange(n, { headers: headers(n).toReversed() }),
  (n) => exchange(n, { body: { excerpt: `[${n}]`, encoding: 'utf8', bytes: 9, cut: true } }),
  (n) => ({ ...exchange(n), outcome: { kind: 'no-response', cause: 'reset', detail: `gone ${n}` } }),
  (n) => ({ ...exchange(n), probe: 'recovery', step: 'again', caller: 'unspecified' }),
];

/** Every kind after every kind, and then each of them many times in a row. */
const sequence = [
  ...kinds.flatMap((one) => kinds.flatMap((other) => [one, other])),
  ...kinds.flatMap((kind) => new Array<typeof kind>(200).fill(kind)),
].map((make, at) => make(at + 1));

test('a row says what the exchange said, in every field and as JSON', () => {
  const [table, sharing] = [new ExchangeTable(), new Sharing()];
  const rows = sequence.map((one) => table.add(sharing.exchange(one)));
  assert.ok(rows.length > 2 * 1024);
  for (const [at, row] of rows.entries()) {
    const one = sequence[at] as Exchange;
    for (const field of Object.keys(one) as (keyof Exchange)[]) {
      if (field !== 'outcome') assert.deepEqual(row[field], one[field]);
    }
    const { outcome } = row;
    assert.equal(outcome.kind, one.outcome.kind);
    if (outcome.kind === 'answer' && one.outcome.kind === 'answer') {
      const { kind, status, headers: lines, body, broken } = outcome;
      assert.deepEqual({ broken: undefined, ...one.outcome }, { kind, status, headers: lines, body, broken });
    }
    assert.equal(JSON.stringify(row), JSON.stringify(one));
  }
});

test('what is changed in the header lines of a row changes no other', () => {
  const [table, sharing] = [new ExchangeTable(), new Sharing()];
  const rows = [exchange(1), exchange(1), exchange(2)].map((one) => table.add(sharing.exchange(one)));
  for (const { outcome } of rows) if (outcome.kind === 'answer') (outcome.headers as HeaderLine[]).pop();
  assert.deepEqual(JSON.parse(JSON.stringify(rows)), [exchange(1), exchange(1), exchange(2)]);
});
