import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import type { Quota } from '../quota.ts';
import { dayCountOf } from './new-day.ts';

const DAY = 86_400;
const QUOTA: Quota = { limit: 1000, windowMs: DAY * 1000 };

/** One accepted request every second, then a 429 that announces the end of the day in so many seconds, in both headers. */
function counted(requests: number, endsIn: number | undefined, headers: StagedExchange['headers'] = []) {
  const run = new Synthesis();
  for (let i = 0; i < requests; i += 1) run.add({ sent: 1000 * i, received: 1000 * i + 10 });
  const accepted = [...run.exchanges];
  const end = endsIn === undefined ? [] : ([['Retry-After', String(endsIn)]] as const);
  const at = 1000 * requests;
  run.add({ status: 429, sent: at, received: at + 10, left: 0, limit: 1000, headers: [...end, ...headers] });
  const limited = run.exchanges.at(-1);
  assert.ok(limited !== undefined);
  return dayCountOf(accepted, limited, QUOTA).kind;
}

const rows: readonly [requests: number, endsIn: number | undefined, kind: string, what: string][] = [
  [1000, DAY - 1000, 'one day', 'a day from the first request'],
  [999, DAY - 999, 'one day', 'one less'],
  // 12 flow back in this time, one by one or twice in one piece.
  [1025, 86, 'one day', 'a bucket that gives one back every 86 s'],
  [1500, DAY - 1000, 'a new day began', 'a day that began after 500 requests'],
  [1500, DAY - 500, 'a new day began', 'a day that began after 1,000 requests'],
  [1500, DAY, 'a new day began', 'a day that begins with the 429'],
  [1500, DAY / 2 - 700, 'a new day began', 'half of the day’s quota every half a day'],
  [1500, DAY - 1500, 'too many', 'one and a half days’ quotas in a day from the first request'],
  [1500, 3600, 'too many', 'a day that ends in an hour'],
  [2000, DAY - 2000, 'too many', 'two days’ quotas in a day from the first request'],
  [2000, DAY - 1000, 'a new day began', 'a day that began when the first one was used'],
  [2000, 60, 'too many', 'a wait of a minute'],
  [1500, 3 * DAY, 'open', 'a penalty of days'],
  [1500, undefined, 'open', 'no Retry-After'],
];
for (const [requests, endsIn, kind, what] of rows) {
  test(`${requests} accepted requests, ${what}: ${kind}`, () =>
    assert.equal(counted(requests, endsIn), kind));
}
