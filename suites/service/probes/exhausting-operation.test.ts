import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { RUN, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { exhaustingOperation } from './exhausting-operation.ts';

/** The operation after these requests, with their durations in milliseconds. */
function chosenAfter(...requests: readonly (readonly [milliseconds: number, staged: StagedExchange])[]) {
  const run = new Synthesis();
  let sent = 0;
  for (const [milliseconds, staged] of requests) {
    run.add({ sent, received: sent + milliseconds, ...staged });
    sent += milliseconds + 1;
  }
  const operation = exhaustingOperation(run.exchanges, RUN.limits);
  return operation.kind === 'named operation' ? operation.path : operation.kind;
}

const list: StagedExchange = {};
const creation: StagedExchange = { method: 'POST', status: 201, body: '{}' };
const orders: StagedExchange = { path: '/store/orders' };

test('the list exhausts a quota while a window holds one', () => {
  assert.equal(chosenAfter(), 'list');
  assert.equal(chosenAfter([400, list], [1, orders], [1, creation]), 'list');
});

test('where lists take too long, a named operation that is accepted does, else a creation', () => {
  assert.equal(chosenAfter([3000, list], [20, orders], [20, creation]), '/store/orders');
  assert.equal(chosenAfter([3000, list], [20, { ...orders, status: 501 }], [20, creation]), 'creation');
  assert.equal(chosenAfter([3000, list], [20, { ...creation, status: 400 }]), 'list');
});

test('an operation that is hardly quicker is not used', () => {
  assert.equal(chosenAfter([3000, list], [2000, orders], [2000, creation]), 'list');
});
