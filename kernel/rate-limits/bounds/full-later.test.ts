import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { seriesOf } from '../series/series.ts';
import { mayBeFullLater } from './full-later.ts';

const LIMIT = 60;
const QUOTA = { limit: LIMIT, windowMs: 60_000 };
const LIMITS = { perMinute: LIMIT, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };
const SLACK_SECONDS = 5;

/** What a limiter shows of a request that it accepts at this time, in seconds: how much is missing then, and when it is full. */
type Shows = (second: number) => { readonly missing: number; readonly fullAt: number };

/** Whether the bound allows what is shown of a request in each tenth of a second, rounded up. */
function isAllowed(shows: Shows, requests = 58): boolean {
  const run = new Synthesis();
  for (let i = 0; i < requests; i += 1) {
    const second = 1_795_255_200 + i / 10;
    const { missing, fullAt } = shows(second);
    run.add({
      ...{ sent: i * 100, received: i * 100 + 5, date: Math.floor(second) },
      headers: [
        ['X-RateLimit-Limit', String(LIMIT)],
        ['X-RateLimit-Remaining', String(LIMIT - missing)],
        ['X-RateLimit-Reset', String(Math.ceil(fullAt))],
      ],
    });
  }
  return mayBeFullLater(seriesOf(run.exchanges, LIMITS), QUOTA, SLACK_SECONDS);
}

/** A bucket that gets pieces of this size back, one every so many seconds. */
function inPieces(size: number, every: number): Shows {
  let missing = 0;
  let piece: number | undefined;
  return (second) => {
    const now = Math.floor(second / every);
    missing = Math.max(0, missing - size * (now - (piece ?? now))) + 1;
    piece = now;
    return { missing, fullAt: (now + Math.ceil(missing / size)) * every };
  };
}

test('a bucket that refills in pieces of any size is full when it says', () => {
  for (let size = 1; size <= LIMIT; size += 1) assert.ok(isAllowed(inPieces(size, size)), String(size));
});

test('a bucket that gives back half as fast, in pieces of any size up to a quarter, is not', () => {
  for (let size = 1; size <= LIMIT / 4; size += 1)
    assert.ok(!isAllowed(inPieces(size, 2 * size)), String(size));
});

test('a sliding counter may be full at the end of its next window', () => {
  let missing = 0;
  assert.ok(
    isAllowed((second) => {
      missing += 1;
      return { missing, fullAt: (Math.floor(second / 60) + 2) * 60 };
    }),
  );
});
