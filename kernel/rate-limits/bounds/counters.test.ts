import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUOTA, seriesIn } from '../../../evaluation/testing/rate-limits/bursts.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { claiming, counts, gets, posts, speaking } from '../../../evaluation/testing/suites/uses.ts';
import { mayCount, stepsOf } from '../series.ts';
import { countedTogether, findSeparateCounters } from './counters.ts';

/**
 * Requests in this order, each of which takes one of a count: `.` with the key, `-` without one, `o` of another
 * caller, `x` of another client, which the journal lacks. `~` is a request with the key that claims another address
 * and has a count of its own. `?` has a form of the key that the specification leaves open, and takes nothing. `f` is
 * one without a key that takes nothing, as `c` is, which claims another address, and as does what `free` names.
 */
function sent(order: string, free = ''): Synthesis {
  const run = new Synthesis();
  let left = 60;
  for (const kind of order) {
    if (kind === '~') run.add({ claims: '198.51.100.23', left: 59 });
    if (kind === '?') run.add({ caller: 'unspecified', left: null });
    if (kind === 'c')
      run.add({ caller: 'unauthenticated', claims: '198.51.100.23', status: 401, left: null });
    if ('~?c'.includes(kind)) continue;
    if (kind !== 'f' && !free.includes(kind)) left -= 1;
    if (kind === '.') run.add({ left });
    if (kind === '-' || kind === 'f') run.add({ caller: 'unauthenticated', status: 401, left: null });
    if (kind === 'o') run.add({ caller: 'other', left: null });
  }
  return run;
}

/** Seven requests with the key, and at four places one or two without it. */
const FOUR = '.--...-.-.--.';
const [WITHOUT, OF_OTHERS] = ['requests without the key', 'requests of other callers'];
const KEYLESS = { callers: [WITHOUT], by: undefined };

for (const [what, run, exclusive, found] of [
  ['without a key, twice', sent('.--...--.'), true, KEYLESS],
  ['without a key, four times, and not where three are', sent(`${FOUR}fff.`), true, undefined],
  ['without a key, twice, where others may use the key', sent('.--...--.'), false, undefined],
  ['without a key, four times', sent(FOUR), false, KEYLESS],
  ['without a key, four times, and one comes back later', sent(FOUR).add({ left: 47 }), false, KEYLESS],
  ['without a key, and a form of it', sent('.--...-.-.--?.'), false, KEYLESS],
  ['without a key, of which one with another address is free', sent('.-c...-.-.--.'), false, undefined],
  ['without a key, at ten places, of which one is free', sent(`.${'....-'.repeat(10)}f.`), false, KEYLESS],
  ['of another caller', sent('.o...o.o.o.'), false, { callers: [OF_OTHERS], by: undefined }],
  ['of another caller, who is free', sent('.o...o.o.o.', 'o'), false, undefined],
  ['both', sent('.o..-.o.-.'), false, { callers: [WITHOUT, OF_OTHERS], by: undefined }],
  ['by claimed address', sent('.--..~.-.-.--.'), false, { callers: [WITHOUT], by: 'claimed address' }],
  ['none are counted', sent(FOUR, '-'), true, undefined],
] as const) {
  test(`counted together: ${what}`, () => {
    const series = stepsOf(mayCount(run.exchanges));
    const others = run.exchanges.filter(({ caller }) => caller !== 'key');
    const {
      fall,
      others: among = 0,
      ...together
    } = countedTogether([series], others, QUOTA, exclusive) ?? {};
    assert.deepEqual(fall === undefined ? undefined : together, found);
    assert.ok(fall === undefined || fall.fallen === fall.requests + among);
  });
}

for (const [what, run, leastSwitches, by] of [
  [
    'lists and creations',
    counts(...gets(58, 57), ...posts(59, 58), ...gets(56), ...posts(57)),
    3,
    'operation',
  ],
  [
    'lists and creations, each over a connection of its own',
    counts(...gets(58, 57), ...posts(59, 58).map((one) => ({ ...one, connection: 2 })), ...gets(56)),
    0,
    'operation',
  ],
  [
    'lists, and creations with another operation',
    counts(...gets(58, 57), ...posts(59), { path: '/v1/pets/1', left: 58 }, ...posts(57), ...gets(56), {
      path: '/v1/pets/1',
      left: 56,
    }),
    3,
    'operation',
  ],
  [
    'a claimed address with another Accept-Language, and one without',
    counts(...gets(58, 57), ...claiming('203.0.113.7', 56), ...speaking(59), ...gets(55)),
    0,
    'User-Agent or Accept-Language',
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
