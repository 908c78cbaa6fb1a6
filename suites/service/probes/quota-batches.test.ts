import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shows } from '../../../evaluation/testing/rate-limits/steady.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { remainingByTarget } from './quota-batches.ts';

test('of requests that were under way at the same time the least Remaining counts', () => {
  const run = new Synthesis()
    .add(shows(0, 5, 30))
    .add(shows(10, 20, 27))
    .add(shows(11, 20, 28))
    .add(shows(12, 20, 29));
  assert.equal(remainingByTarget(run.exchanges, 60), 27);
});

test('of requests one after another the last Remaining counts, also where it rose', () => {
  const run = new Synthesis().add(shows(0, 5, 3)).add(shows(10, 5, 59));
  assert.equal(remainingByTarget(run.exchanges, 60), 59);
  assert.equal(remainingByTarget(run.exchanges, 300), undefined);
  assert.equal(remainingByTarget([], 60), undefined);
});
