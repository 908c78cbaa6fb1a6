import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  body as bodyOf,
  excerptOf,
  exchangeOf,
  Synthesis,
} from '../../../evaluation/testing/suites/synthetic.ts';
import type { CompleteBody } from '../../../kernel/exchanges/exchange.ts';
import { Sharing } from './sharing.ts';

const body = (more: Partial<CompleteBody> = {}): CompleteBody => ({ ...bodyOf('[]'), ...more });
const excerpt = excerptOf('[]', 2);

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
  const made = new Synthesis().add({ left: 59 }, { left: 58 }).exchanges;
  const [one, two] = made.map((exchange) => sharing.exchange(exchange));
  assert.deepEqual([one, two], made);
  assert.ok(one?.outcome.kind === 'answer' && two?.outcome.kind === 'answer');
  assert.equal(two.outcome.body, one.outcome.body);
  assert.equal(two.outcome.headers[0], one.outcome.headers[0]);
  assert.equal(two.request, one.request);
});

test('a silence has nothing to share', () => {
  const silent = exchangeOf({ noResponse: 'reset' });
  assert.deepEqual(new Sharing().exchange(silent), silent);
});
