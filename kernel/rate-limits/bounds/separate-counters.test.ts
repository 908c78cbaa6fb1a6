import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUOTA, seriesIn } from '../../../evaluation/testing/rate-limits/steady.ts';
import {
  claiming,
  counts,
  falls,
  gets,
  named,
  over,
  posts,
  speaking,
} from '../../../evaluation/testing/suites/uses.ts';
import { findSeparateCounters } from './separate-counters.ts';

for (const [what, run, leastSwitches, by] of [
  [
    'lists and creations',
    counts(...gets(58, 57), ...posts(59, 58), ...gets(56), ...posts(57)),
    3,
    'operation',
  ],
  ['the same, but more changes must show', counts(...gets(58), ...posts(59, 58)), 3, undefined],
  [
    'claimed addresses',
    counts(...gets(58, 57), ...claiming('203.0.113.7', 59, 58), ...gets(56)),
    0,
    'claimed address',
  ],
  [
    'a claimed address with another User-Agent, and one without',
    counts(...gets(58, 57), ...claiming('203.0.113.7', 56), ...named(59), ...gets(55)),
    0,
    'User-Agent or Accept-Language',
  ],
  [
    'a claimed address with another Accept-Language, and one without',
    counts(...gets(58, 57), ...claiming('203.0.113.7', 56), ...speaking(59), ...gets(55)),
    0,
    'User-Agent or Accept-Language',
  ],
  ['connections', counts(...gets(58, 57), ...over(2, 59, 58), ...gets(56)), 0, 'connection'],
  ['one count', falls(1, 1, 1, 1), 0, undefined],
  [
    'creations that begin in the middle of a count',
    counts(...gets(58, 57), ...posts(40, 39), ...gets(56)),
    0,
    undefined,
  ],
] as const) {
  test(`separate counters, ${what}: ${by ?? 'none'}`, () => {
    assert.equal(findSeparateCounters(seriesIn(run), QUOTA, leastSwitches)?.by, by);
  });
}

test('a count of which no response shows anything is named by its operation', () => {
  const creation = { method: 'POST', left: null };
  const run = counts(...gets(58, 57), creation, creation, ...gets(56), creation);
  assert.deepEqual(findSeparateCounters(seriesIn(run), QUOTA, 0), {
    by: 'operation',
    hidden: ['POST /v1/categories'],
  });
});
