import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RUN, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { seriesOf } from '../series/series.ts';
import type { OpenCause } from './attribution.ts';
import { causeOf429 } from './attribution.ts';

const retryAfter = (seconds: number) => [['Retry-After', String(seconds)]] as const;

/** So many requests from an untouched limit, then a 429 with this wait, after a pause in seconds. */
const limitedAfter = (count: number, wait: number | undefined, pause = 0, from = 59): Synthesis => {
  const run = new Synthesis();
  for (let i = 0; i < count; i += 1) run.add({ left: Math.max(0, from - i) });
  run.wait(pause).add({ status: 429, date: null, headers: wait === undefined ? [] : retryAfter(wait) });
  return run;
};

const rows: readonly (readonly [string, Synthesis, OpenCause | 'target'])[] = [
  ['within an untouched limit', limitedAfter(20, 50), 'target'],
  ['after all of it', limitedAfter(60, 50), 'own requests'],
  ['with a wait for the next request', limitedAfter(20, 1), 'next request'],
  ['with a wait of an hour', limitedAfter(20, 3600), 'longer'],
  ['without a wait', limitedAfter(20, undefined), 'unknown'],
  ['of a key that was in use', limitedAfter(20, 50, 0, 40), 'use before the run'],
  ['after a pause in which another client could use the rest', limitedAfter(30, 50, 40), 'another client'],
  [
    'during the wait of an earlier one',
    limitedAfter(20, 50).add({ status: 429, headers: retryAfter(50) }),
    'a wait that is not over',
  ],
];

for (const [what, run, cause] of rows) {
  test(`a 429 ${what}: ${cause}`, () => {
    const { exchanges } = run;
    const limited = exchanges.at(-1);
    assert.ok(limited !== undefined);
    const found = causeOf429({ exchanges, series: seriesOf(exchanges, RUN.limits) }, limited, RUN.limits);
    assert.equal(found.kind === 'target' ? 'target' : found.because, cause);
  });
}
