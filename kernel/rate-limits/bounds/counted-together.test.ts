import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUOTA } from '../../../evaluation/testing/rate-limits/steady.ts';
import { Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { mayCount } from '../series/keyed-requests.ts';
import { stepsOf } from '../series/series.ts';
import { countedTogether } from './counted-together.ts';

/**
 * Requests in this order, each of which takes one of a count: `.` with the key, `-` without one, `o` of another
 * caller, `x` of another client, which the journal lacks. `~` is a request with the key that claims another address
 * and has a count of its own. What `free` names takes nothing.
 */
function sent(order: string, free = ''): Synthesis {
  const run = new Synthesis();
  let left = 60;
  for (const kind of order) {
    if (kind === '~') run.add({ claims: '198.51.100.23', left: 59 });
    if (kind === '~') continue;
    if (!free.includes(kind)) left -= 1;
    if (kind === '.') run.add({ left });
    if (kind === '-') run.add({ caller: 'unauthenticated', status: 401, left: null });
    if (kind === 'o') run.add({ caller: 'other', left: null });
  }
  return run;
}

const WITHOUT = ['requests without the key'];
const OF_OTHERS = ['requests of other callers'];

for (const [what, run, exclusive, found] of [
  ['without a key, twice', sent('.--...--.'), true, { callers: WITHOUT, by: undefined }],
  ['without a key, twice, where others may use the key', sent('.--...--.'), false, undefined],
  ['without a key, four times', sent('.--...-.-.--.'), false, { callers: WITHOUT, by: undefined }],
  ['of another caller', sent('.o...o.o.o.'), false, { callers: OF_OTHERS, by: undefined }],
  ['of another caller, who is free', sent('.o...o.o.o.', 'o'), false, undefined],
  ['both', sent('.o..-.o.-.'), false, { callers: [...WITHOUT, ...OF_OTHERS], by: undefined }],
  ['by claimed address', sent('.--..~.-.-.--.'), false, { callers: WITHOUT, by: 'claimed address' }],
  ['without a key, and another client', sent('.--..x.-.-.--.'), false, undefined],
  ['none are counted', sent('.--...-.-.--.', '-'), true, undefined],
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
