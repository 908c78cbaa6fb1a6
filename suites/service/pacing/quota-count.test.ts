import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { QuotaCount } from './quota-count.ts';

const LIMIT = 60;

interface QuotaRow {
  readonly what: string;
  /** How many requests were sent, and the last response. */
  readonly sent: number;
  readonly last?: StagedExchange;
  /** How many more are allowed. */
  readonly allowed: number;
}

const rows: readonly QuotaRow[] = [
  { what: 'an untouched quota allows all but one', sent: 0, allowed: 59 },
  { what: 'without headers our own count decides', sent: 20, last: { left: null }, allowed: 39 },
  { what: 'a lower Remaining than our count decides', sent: 20, last: { left: 10 }, allowed: 9 },
  { what: 'a higher Remaining than our count does not', sent: 20, last: { left: 58 }, allowed: 39 },
  { what: 'headers of another limit do not', sent: 20, last: { left: 5, limit: 1000 }, allowed: 39 },
  { what: 'a 429 leaves the last Remaining in force', sent: 20, last: { status: 429, left: 0 }, allowed: 39 },
  { what: 'a lost response counts as a request', sent: 20, last: { noResponse: 'timeout' }, allowed: 39 },
];

function countOf({ sent, last = {} }: Pick<QuotaRow, 'sent' | 'last'>): QuotaCount {
  const run = new Synthesis();
  for (let i = 1; i < sent; i += 1) run.add({ left: null });
  if (sent > 0) run.add(last);
  const quota = new QuotaCount(LIMIT);
  for (const exchange of run.exchanges) quota.countRequest(exchange);
  return quota;
}

for (const { what, allowed, ...row } of rows) {
  test(what, () => {
    const quota = countOf(row);
    assert.equal(quota.allows(allowed), true);
    assert.equal(quota.allows(allowed + 1), row.sent <= 1);
  });
}

test('a Remaining of 0 after an idle window is not trusted, nor any header after it', () => {
  const quota = countOf({ sent: 1, last: { left: 0 } });
  assert.equal(quota.allows(1), true);
  const [second] = new Synthesis().add({ left: 0 }).exchanges;
  assert.ok(second !== undefined);
  quota.countRequest(second);
  assert.equal(quota.allows(57), true);
  assert.equal(quota.allows(58), false);
});

test('after an idle window the count starts anew, and earlier headers do not matter', () => {
  const quota = countOf({ sent: 40, last: { left: 3 } });
  assert.equal(quota.allows(3), false);
  quota.refill();
  assert.equal(quota.allows(2), true, 'after a wait the last Remaining still holds');
  quota.startAnew();
  assert.equal(quota.allows(59), true);
});
