import assert from 'node:assert/strict';
import { test } from 'node:test';
import { START, Synthesis } from '../../evaluation/testing/suites/synthetic.ts';
import { waitsBesideReset } from './wait-scale.ts';

const date = (seconds: number): string => new Date((START + seconds) * 1000).toUTCString();

for (const [what, after, resetIn, dated, beside] of [
  ['ends at Reset', '40', 40, true, false],
  ['ends within rounding of it', '42', 40, true, false],
  ['ends beyond rounding of it', '43', 40, true, true],
  ['of a day that gives back little by little', '20', 40, true, true],
  ['ends at Reset by our clock, without a Date', '40', 40, false, false],
  ['ends at another moment by our clock, without a Date', '20', 40, false, true],
  ['is the date of Reset, without a Date', date(40), 40, false, false],
  ['is another date than Reset, without a Date', date(20), 40, false, true],
  ['is malformed', 'soon', 40, true, false],
] as const)
  test(`a wait that ${what} ${beside ? 'may be' : 'is not'} about a limit that no header shows`, () => {
    const { exchanges } = new Synthesis().add({
      status: 429,
      left: 0,
      resetIn,
      headers: [['Retry-After', after]],
      ...(dated ? {} : { date: null }),
    });
    const [limited] = exchanges;
    assert.ok(limited !== undefined);
    assert.equal(waitsBesideReset(limited), beside);
  });
