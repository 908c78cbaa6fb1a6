import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { RUN, START, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { ofKey } from '../series/keyed-requests.ts';
import { seriesOf } from '../series/series.ts';
import { firstOverrun } from './overrun.ts';

const FREE = RUN.limits;

/** The first overrun of a run that asked nothing else. */
const found = (run: Synthesis) => firstOverrun(seriesOf(ofKey(run.exchanges), FREE)[0] ?? [], FREE);

/** One request every `every` milliseconds, each `trip` milliseconds long, in a window that ends after 40 s. */
function counted(count: number, every: number, trip: number, left: (i: number) => number): Synthesis {
  const run = new Synthesis();
  for (let i = 0; i < count; i += 1) run.add(told(i * every, trip, left(i)));
  return run;
}

const told = (sent: number, trip: number, left: number): StagedExchange => ({
  sent,
  received: sent + trip,
  headers: [
    ['X-RateLimit-Limit', '60'],
    ['X-RateLimit-Remaining', String(left)],
    ['X-RateLimit-Reset', String(START + 40)],
  ],
});

const down = (i: number): number => Math.max(0, 59 - i);

test('one request too many is found in less time than anything flows back in', () => {
  assert.equal(found(counted(61, 5, 4, down))?.accepted, 61);
  assert.equal(found(counted(60, 5, 4, down)), undefined);
});

test('one request too many is found over a long link, where each answer takes a while', () => {
  assert.equal(found(counted(61, 200, 199, down))?.accepted, 61);
  assert.equal(found(counted(60, 200, 199, down)), undefined);
});

test('a later request that proves nothing does not hide what was proven before it', () => {
  const run = counted(61, 5, 4, down);
  run.add({ ...told(30_000, 5, 0), caller: 'unspecified', status: 401 });
  assert.equal(found(run)?.accepted, 61);
});

test('a bucket that gives one back each second accepts one more a second', () => {
  const bucket = (i: number): number => Math.floor(60 - (i + 1) + (i * 200) / 1000);
  assert.equal(found(counted(74, 200, 199, bucket)), undefined);
});

test('a bucket that gives back in pieces may pause for as long as nothing comes back', () => {
  // Two every two seconds: the first piece finds one missing, the limit is whole again, and 60 are accepted since.
  const run = new Synthesis()
    .add(told(0, 4, 59))
    .add(told(1000, 4, 58))
    .add(told(2100, 4, 59));
  for (let i = 1; i <= 59; i += 1) run.add(told(2100 + i * 30, 4, 59 - i));
  assert.equal(found(run), undefined);
});
