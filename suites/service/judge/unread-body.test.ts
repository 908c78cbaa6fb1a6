import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { unreadBody } from './unread-body.ts';

const refusedBody: StagedExchange = {
  caller: 'unauthenticated',
  method: 'POST',
  status: 401,
  sends: '{"name":"cat"}',
};
const page: StagedExchange = {
  caller: 'unauthenticated',
  method: 'POST',
  status: 501,
  headers: [['Content-Type', 'text/html']],
};

function hint(before: StagedExchange, then: StagedExchange): string | undefined {
  const { exchanges } = new Synthesis().add(before).add(then);
  const last = exchanges.at(-1);
  assert.ok(last !== undefined);
  return unreadBody(last, exchanges);
}

test('a response to bytes of a rejected body is traced to it', () => {
  assert.match(hint(refusedBody, page) ?? '', /had just carried the body of exchange 1 \(POST/);
});

const others: readonly (readonly [why: string, before: StagedExchange, then: StagedExchange])[] = [
  ['another connection', refusedBody, { ...page, connection: 2 }],
  ['a new connection', refusedBody, { ...page, fresh: true }],
  ['a body that was accepted', { ...refusedBody, status: 201 }, page],
  ['a request without a body', { caller: 'unauthenticated', status: 401 }, page],
  ['an answer of the service itself', refusedBody, { ...page, headers: [] }],
  ['a status that says nothing of the request line', refusedBody, { ...page, status: 403 }],
];
for (const [why, before, then] of others) {
  test(`nothing is supposed of ${why}`, () => assert.equal(hint(before, then), undefined));
}
