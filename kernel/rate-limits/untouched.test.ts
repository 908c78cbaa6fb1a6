import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Synthesis } from '../../evaluation/testing/suites/synthetic.ts';
import { mayBeUntouched, showsRefilled, showsUntouched, showsUse } from './untouched.ts';

for (const [limit, remaining, untouched, refilled, used] of [
  [60, 60, true, true, false],
  [60, 59, true, true, false],
  [60, 58, false, true, true],
  [60, 57, false, false, true],
  // Headers about the day say nothing about the minute.
  [1000, 999, false, false, false],
] as const) {
  test(`Limit ${limit}, Remaining ${remaining}`, () => {
    const shown = { limit, remaining };
    assert.deepEqual(
      [showsUntouched(shown, 60), showsRefilled(shown, 60), showsUse(shown, 60)],
      [untouched, refilled, used],
    );
  });
}

for (const [what, told, possible] of [
  ['no response', { noResponse: 'timeout' }, true],
  ['a 429', { status: 429, left: 59 }, false],
  ['no headers', {}, true],
  ['headers about the day', { limit: 1000, left: 3 }, true],
  ['an untouched limit', { left: 59 }, true],
  ['a limit in use', { left: 58 }, false],
] as const) {
  test(`${what} ${possible ? 'does not speak' : 'speaks'} against an untouched limit`, () => {
    const [exchange] = new Synthesis().add(told).exchanges;
    assert.ok(exchange !== undefined);
    assert.equal(mayBeUntouched(exchange, 60), possible);
  });
}
