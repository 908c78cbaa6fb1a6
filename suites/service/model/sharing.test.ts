import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BodyExcerpt, CompleteBody, Exchange } from '../../../kernel/exchanges/exchange.ts';
import { Sharing } from './sharing.ts';

const body = (more: Partial<CompleteBody> = {}): CompleteBody => ({
  text: '[]',
  encoding: 'utf8',
  bytes: 2,
  cut: false,
  ...more,
});
const excerpt: BodyExcerpt = { excerpt: '[]', encoding: 'utf8', bytes: 2, cut: true };

const exchange = (n: number): Exchange => ({
  kind: 'exchange',
  n,
  probe: 'exhaust-quota',
  step: 'one by one',
  caller: 'key',
  connection: { id: n, fresh: true },
  request: { method: 'GET', target: '/v1/categories', headers: [['Accept', 'application/json']], body: null },
  sent: { wall: n, mono: n },
  received: { wall: n + 1, mono: n + 1 },
  outcome: {
    kind: 'answer',
    status: 200,
    headers: [
      ['Content-Type', 'application/json'],
      ['X-RateLimit-Remaining', String(60 - n)],
    ],
    body: excerpt,
    broken: 'the connection was reset',
  },
});

test('equal bodies become one object, and different ones stay themselves', () => {
  const sharing = new Sharing();
  const first = sharing.body(body());
  assert.equal(sharing.body(body()), first);
  for (const other of [body({ text: '[1]' }), body({ encoding: 'base64' }), body({ bytes: 3 }), excerpt]) {
    assert.equal(sharing.body(other), other);
  }
});

test('a shared exchange says what it said, with the body and the equal header lines of the one before', () => {
  const sharing = new Sharing();
  const [one, two] = [sharing.exchange(exchange(1)), sharing.exchange(exchange(2))];
  assert.deepEqual([one, two], [exchange(1), exchange(2)]);
  assert.ok(one.outcome.kind === 'answer' && two.outcome.kind === 'answer');
  assert.equal(two.outcome.body, one.outcome.body);
  assert.equal(two.outcome.headers[0], one.outcome.headers[0]);
  assert.equal(two.request, one.request);
});

test('a silence has nothing to share', () => {
  const silent: Exchange = {
    ...exchange(1),
    outcome: { kind: 'no-response', cause: 'reset', detail: 'gone' },
  };
  assert.deepEqual(new Sharing().exchange(silent), silent);
});
