import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transitionsIn } from '../../../evaluation/testing/rate-limits/steady.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import type { Stretch } from './stretches.ts';
import { countedBesides, hiddenGains, largestPiece, shownToCount, stretchesOf } from './stretches.ts';

const rejected = { method: 'POST', status: 400 };

test('a stretch ends at a request that surely counts, and keeps those in it that Remaining shows', () => {
  const run = new Synthesis();
  run.add({ left: 59 }).add({ left: 58 });
  run
    .add({ ...rejected, left: 57 })
    .add({ ...rejected, left: 57 })
    .add({ left: 55 });
  const all = stretchesOf(transitionsIn(run));
  assert.deepEqual(
    all.map(({ fallen, requests, sure, sound, ended, fellAt }) => [
      ...[fallen, requests, sure, sound, ended],
      fellAt.map(({ n }) => n),
    ]),
    [
      [1, 1, 1, true, true, []],
      [3, 3, 1, true, true, [3]],
    ],
  );
  const [unsound, open] = stretchesOf(
    transitionsIn(
      new Synthesis()
        .add({ ...rejected, left: 59 })
        .add({ left: 58 })
        .add({ ...rejected, left: 57 }),
    ),
  );
  assert.deepEqual([unsound?.sound, unsound?.ended, open?.sound, open?.ended], [false, true, true, false]);
});

const [one, other] = new Synthesis().add(rejected).add(rejected).exchanges;
const fellAt = one === undefined || other === undefined ? [] : [one, other];
/** By default three requests that lowered Remaining by three, one of which surely counts. */
const stretch = (more: Partial<Stretch> = {}): Stretch => ({
  ...{ fallen: 3, requests: 3, sure: 1, sound: true, ended: true, fellAt },
  ...more,
});

const rows: readonly (readonly [
  what: string,
  stretch: Stretch,
  besides: number,
  shown: number,
  piece: number,
  hidden: number,
])[] = [
  ['every request', stretch(), 2, 2, 0, 0],
  ['more than every request, as with another client', stretch({ fallen: 5 }), 2, 2, 0, 0],
  ['all but one', stretch({ fallen: 2 }), 1, 0, 0, 0],
  ['the sure one alone', stretch({ fallen: 1 }), 0, 0, 0, 0],
  ['none', stretch({ fallen: 0 }), 0, 0, 1, 1],
  ['less than none', stretch({ fallen: -2 }), 0, 0, 3, 3],
  ['no request, where all surely count', stretch({ fallen: 0, sure: 3, fellAt: [] }), 0, 0, 3, 0],
  ['every request, from one that may be free', stretch({ sound: false }), 0, 0, 0, 0],
  ['every request, up to one that may be free', stretch({ ended: false }), 0, 0, 0, 0],
];

for (const [what, found, besides, shown, piece, hidden] of rows)
  test(`a stretch that counts ${what}`, () => {
    const all = [found];
    assert.deepEqual(
      [countedBesides(all), shownToCount(all).size, largestPiece(all), hiddenGains(all)],
      [besides, shown, piece, hidden],
    );
  });
