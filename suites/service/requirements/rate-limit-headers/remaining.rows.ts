import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { fail, inconclusive, pass, rowsOf, warn } from '../../../../evaluation/testing/suites/edits.ts';
import { anew, counts, falls, isRateLimited } from '../../../../evaluation/testing/suites/uses.ts';

/** A 429 for most of a minute, right after a response with Remaining above 0. */
const promised = () => falls(1, 1).add(isRateLimited(50));

/** What Remaining promises before a 429, and says on it: RATE-8. */
export function remainingRows(limited: edit.Where): readonly VerdictRow[] {
  return rowsOf('RATE-8', {
    '0, and then a 429 that says 0': pass(edit.unchanged),
    'the 429 describes the day (K23)': pass(
      edit.at(limited, edit.header('X-RateLimit-Limit', '1000'), edit.header('X-RateLimit-Remaining', '900')),
    ),
    'a 429 that promises some': fail(edit.at(limited, edit.header('X-RateLimit-Remaining', '3'))),
    'a 429 right after a promise, each time': fail(() =>
      [1, 2, 3].reduce((run) => anew(run, 3, [0, isRateLimited(50)]), promised()),
    ),
    'a 429 right after a promise once, and it was not tried again (K38)': inconclusive(() => promised()),
    'a 429 right after a promise of another number each time (K38)': inconclusive(() =>
      anew(anew(promised(), 3, [0, isRateLimited(50)]), 30, [0, isRateLimited(50)]),
    ),
    'the same with so short a wait that bursts may be smaller (K17)': warn(() =>
      falls(1, 1).add({ status: 429, left: 0, headers: [['Retry-After', '1']] }),
    ),
    'the same with the wait of a penalty (K07)': inconclusive(() =>
      falls(1, 1).add({ status: 429, left: 0, headers: [['Retry-After', '120']] }),
    ),
    'the daily quota is exhausted by earlier runs (K40)': inconclusive(() =>
      falls(1, 1).add({ status: 429, left: 0, limit: 1000, headers: [['Retry-After', '40000']] }),
    ),
    'the daily quota is exhausted by earlier runs, and the headers go on describing the minute (K23)':
      inconclusive(() => falls(1, 1).add({ status: 429, left: 57, headers: [['Retry-After', '40000']] })),
    'a 429 that promises some, right after an odd presentation, and not tried again (K38)': inconclusive(() =>
      counts({ caller: 'unspecified', left: 58 }, isRateLimited(60, { left: 58 })),
    ),
    'no 429': inconclusive(() => falls(1, 1)),
  });
}
