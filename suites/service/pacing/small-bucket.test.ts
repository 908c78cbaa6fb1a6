import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { RUN, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { isRateLimited } from '../../../evaluation/testing/suites/uses.ts';
import { SmallBucket } from './small-bucket.ts';

const answered = (count: number, left: number | null = null): readonly StagedExchange[] =>
  Array.from({ length: count }, () => ({ left }));

/** What a bucket is known to hold after these exchanges, and the moment of the last response. */
function after(run: Synthesis) {
  const bucket = new SmallBucket(RUN.limits);
  for (const exchange of run.exchanges) bucket.observe(exchange);
  return { bucket, at: run.exchanges.at(-1)?.received.mono ?? 0 };
}

const oneByOne = (...staged: readonly StagedExchange[]): Synthesis => {
  const run = new Synthesis();
  for (const one of staged) run.add(one);
  return run;
};

interface BucketRow {
  readonly what: string;
  readonly run: Synthesis;
  readonly capacity: number | undefined;
  readonly mostAtOnce: number | undefined;
}

const rows: readonly BucketRow[] = [
  { what: 'no 429', run: oneByOne(...answered(10)), capacity: undefined, mostAtOnce: undefined },
  {
    what: 'a 429 that asks for a second after five',
    run: oneByOne(...answered(5), isRateLimited(1)),
    capacity: 5,
    mostAtOnce: 4,
  },
  {
    what: 'a 429 that asks for a minute after five',
    run: oneByOne(...answered(5), isRateLimited(60)),
    capacity: undefined,
    mostAtOnce: undefined,
  },
  {
    what: 'a 429 that asks for a second after the whole limit',
    run: oneByOne(...answered(60), isRateLimited(1)),
    capacity: undefined,
    mostAtOnce: undefined,
  },
  {
    what: 'five of seven at the same time, and the 429 responses are read first',
    run: new Synthesis().together(7, (i) => (i < 2 ? isRateLimited(1) : { left: null })),
    capacity: 5,
    mostAtOnce: 4,
  },
  {
    what: 'an idle key with a Remaining of 4',
    run: oneByOne(...answered(1, 4)),
    capacity: undefined,
    mostAtOnce: 5 + 1,
  },
  {
    what: 'an idle key with a Remaining of 0, which may be no count at all',
    run: oneByOne(...answered(1, 0)),
    capacity: undefined,
    mostAtOnce: undefined,
  },
];

for (const { what, run, capacity, mostAtOnce } of rows) {
  test(`what a small bucket holds after ${what}`, () => {
    const { bucket } = after(run);
    assert.equal(bucket.capacity, capacity);
    assert.equal(bucket.mostAtOnce, mostAtOnce);
  });
}

test('after the 429 it waits for each request, and never for more than the bucket holds', () => {
  const { bucket, at } = after(oneByOne(...answered(5), isRateLimited(1)));
  assert.equal(bucket.secondsUntil(1, at), 1);
  assert.equal(bucket.secondsUntil(1, at + 1000), 0);
  assert.equal(bucket.secondsUntil(3, at + 1000), 2);
  assert.equal(bucket.secondsUntil(60, at), 5);
  assert.equal(bucket.secondsUntil(5, at + 60_000), 0);
});

test('where no 429 showed a bucket it waits for nothing', () => {
  const { bucket, at } = after(oneByOne(...answered(30)));
  assert.equal(bucket.secondsUntil(30, at), 0);
});
