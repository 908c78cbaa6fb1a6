import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUOTA, seriesIn, transitionsIn } from '../../../evaluation/testing/rate-limits/bursts.ts';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { RUN, START, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { counts, falls, gets, lost, used } from '../../../evaluation/testing/suites/uses.ts';
import { seriesOf } from '../series.ts';
import type { Stretch } from './refill.ts';
import {
  countedBesides,
  findMiscount,
  fullBeforeReset,
  hiddenGains,
  largestPiece,
  mayBeFullLater,
  refilledTooOften,
  stretchesOf,
} from './refill.ts';

/** A response. `sent` and `reset` are seconds after the start of the run. */
const shows = (sent: number, left: number, reset: number): StagedExchange => ({
  ...{ sent: sent * 1000, received: sent * 1000 + 4, date: START + Math.floor(sent) },
  ...{ left, reset },
});

/** So many requests from a full quota on, one each tenth of a second, under one Reset. */
function window(run: Synthesis, from: number, count: number, reset: number): Synthesis {
  for (let i = 0; i < count; i += 1) run.add(shows(from + i / 10, 59 - i, reset));
  return run;
}

/** Two windows: 40 requests in the first one, and these in the second one. */
const two = (from: number, count: number, resets: readonly [number, number]): Synthesis =>
  window(window(new Synthesis(), 0, 40, resets[0]), from, count, resets[1]);

for (const [what, run, accepted] of [
  ['a window that ends at its Reset', two(60, 30, [60, 120]), undefined],
  ['one that ends forty seconds before', two(20, 30, [60, 80]), 70],
  ['a window of the clock that was nearly over', two(4.5, 30, [5, 65]), undefined],
  [
    'the same, where Remaining showed that nothing flows back',
    window(new Synthesis().add(shows(0, 59, 60), shows(1.2, 58, 60), shows(1.3, 57, 60)), 50, 30, 110),
    33,
  ],
  ['a Reset beyond a window, of a day', two(20, 30, [600, 680]), undefined],
  [
    'one that ends early, and another client in the next',
    two(20, 5, [60, 80]).add(shows(21, 53, 80)),
    undefined,
  ],
  [
    'one that ends early, and a full quota once more under one Reset',
    window(two(20, 25, [60, 80]), 24, 1, 80),
    undefined,
  ],
  ['one that ends early, and a request after its Reset', two(20, 5, [60, 80]).add(shows(70, 54, 80)), 45],
  ['a first response that shows use', window(new Synthesis().add(shows(0, 40, 60)), 20, 30, 80), undefined],
] as const) {
  test(`full before Reset: ${what}`, () => {
    assert.equal(fullBeforeReset(seriesIn(run), QUOTA)?.accepted.length, accepted);
  });
}

const LIMIT = QUOTA.limit;
const SLACK_SECONDS = 5;

/** The clock of a run begins when its machine does. */
const SINCE_START_MS = 864_000_000;

/** What a limiter shows of a request that it accepts at this time, in seconds: how much is missing then, and when it is full. */
type Shows = (second: number) => { readonly missing: number; readonly fullAt: number };

/** Whether the bound allows what is shown of a request in each tenth of a second, rounded up. */
function isAllowed(shows: Shows, requests = 58): boolean {
  const run = new Synthesis();
  for (let i = 0; i < requests; i += 1) {
    const second = START + i / 10;
    const { missing, fullAt } = shows(second);
    run.add({
      ...{ sent: SINCE_START_MS + i * 100, received: SINCE_START_MS + i * 100 + 5, date: Math.floor(second) },
      ...{ left: LIMIT - missing, reset: Math.ceil(fullAt) - START },
    });
  }
  return mayBeFullLater(seriesOf(run.exchanges, RUN.limits), QUOTA, SLACK_SECONDS);
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

for (const [what, ends, allowed] of [
  ['an end that jitters, and another', [110, 112, 120], true],
  ['an end that jitters by more, and another', [110, 113, 120], false],
] as const) {
  test(`a sliding counter ${allowed ? 'may announce' : 'does not announce'} in six seconds: ${what}`, () => {
    let request = 0;
    const nextEnd = (): number => ends[request++ % ends.length] ?? 0;
    const jittering: Shows = () => ({ missing: 1, fullAt: START + nextEnd() });
    assert.equal(isAllowed(jittering), allowed);
  });
}

/** A quota that is used right before a window begins, and in it; so many seconds later the next one begins. */
const anewAfter = (seconds: number): Synthesis =>
  used(59)
    .wait(20)
    .add(...gets(0, ...Array.from({ length: 60 }, (_, i) => 59 - i)))
    .wait(seconds)
    .add({ left: 59 });

/** Ten requests, those of another client among them, and later as many as stated, which leave Remaining as it is. */
function unchanged(later: number, afterSeconds: number, others = 0): Synthesis {
  const last = 50 - others;
  const run = counts(...gets(58, 57, ...[56, 55, 54, 53, 52, 51, 50].map((left) => left - others))).wait(
    afterSeconds,
  );
  for (let i = 0; i < later; i += 1) run.add({ left: last });
  return run;
}

/** Early requests, then some around the end of the window: the count is lost five seconds before it, and it begins anew. */
function lostLate(first: number, beforeLoss: number): Synthesis {
  const run = new Synthesis().add({ left: first });
  for (let i = 1; i < 20; i += 1) run.add({ left: first - i });
  run.wait(54);
  for (let i = 0; i < 4; i += 1) run.wait(0.4).add({ left: beforeLoss - i });
  for (let i = 0; i < 12; i += 1) run.wait(0.4).add({ left: 59 - i });
  for (let i = 0; i < 5; i += 1) run.wait(0.4).add({ left: 59 - i });
  return run;
}

for (const [what, run, unexplained] of [
  ['an exact count', falls(1, 1, 1, 1), undefined],
  ['parallel requests that are counted once each', lost(), 3],
  ['a window that ends two seconds early, as rounding may show it', anewAfter(57.5), undefined],
  ['a window that ends three seconds early', anewAfter(56.5), 2],
  ['half a window later a window with two steps gives them back', unchanged(9, 31), undefined],
  ['half a window later it gives back those of another client as well', unchanged(14, 31, 5), undefined],
  ['a window later no log gives back more than it has', unchanged(15, 60), 1],
  ['a late loss of a bucket that is full after the pause', lostLate(59, 59), undefined],
  ['a late loss where another client had used the key before', lostLate(49, 29), undefined],
] as const) {
  test(`${what}: ${unexplained === undefined ? 'no impossible gain' : `${unexplained} unexplained`}`, () => {
    assert.equal(findMiscount(seriesIn(run), QUOTA)?.unexplained, unexplained);
  });
}

test('a limit that is full again in the middle of parallel requests, twice, is found', () => {
  const run = counts(...gets(58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44));
  run.together(3, (i) => ({ left: i === 0 ? 59 : 43 }));
  for (let left = 42; left > 25; left -= 1) run.add({ left });
  run.together(3, (i) => ({ left: i === 0 ? 59 : 24 }));
  assert.ok(refilledTooOften(seriesIn(run), QUOTA) !== undefined);
  assert.equal(refilledTooOften(seriesIn(counts(...gets(58, 57))), QUOTA), undefined);
});

const rejected = { method: 'POST', status: 400 };

test('a stretch ends at a request that surely counts', () => {
  const run = new Synthesis().add({ left: 59 }, { left: 58 }, { ...rejected, left: 57 });
  run.add({ ...rejected, left: 57 }, { left: 55 });
  const all = stretchesOf(transitionsIn(run));
  assert.deepEqual(
    all.map((one) => Object.values(one)),
    [
      [1, 1, 1, true, true],
      [3, 3, 1, true, true],
    ],
  );
  const [unsound, open] = stretchesOf(
    transitionsIn(new Synthesis().add({ ...rejected, left: 59 }, { left: 58 }, { ...rejected, left: 57 })),
  );
  assert.deepEqual([unsound?.sound, unsound?.ended, open?.sound, open?.ended], [false, true, true, false]);
});

/** By default three requests that lowered Remaining by three, one of which surely counts. */
const stretch = (more: Partial<Stretch> = {}): Stretch => ({
  ...{ fallen: 3, requests: 3, sure: 1, sound: true, ended: true },
  ...more,
});

for (const [what, found, besides, piece, hidden] of [
  ['every request', stretch(), 2, 0, 0],
  ['more than every request, as with another client', stretch({ fallen: 5 }), 2, 0, 0],
  ['the sure one alone', stretch({ fallen: 1 }), 0, 0, 0],
  ['none', stretch({ fallen: 0 }), 0, 1, 1],
  ['less than none', stretch({ fallen: -2 }), 0, 3, 3],
  ['every request, from one that may be free', stretch({ sound: false }), 0, 0, 0],
  ['every request, up to one that may be free', stretch({ ended: false }), 0, 0, 0],
] as const)
  test(`a stretch that counts ${what}`, () => {
    const all = [found];
    assert.deepEqual([countedBesides(all), largestPiece(all), hiddenGains(all)], [besides, piece, hidden]);
  });
