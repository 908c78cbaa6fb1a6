import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { fail, inconclusive, pass, rowsOf, warn } from '../../../../evaluation/testing/suites/edits.ts';
import { START } from '../../../../evaluation/testing/suites/synthetic.ts';

const { at, asked, answered, both } = edit;
const limited = both(asked('exhaust-quota'), answered(429));
const retry = (...values: readonly string[]) => edit.header('Retry-After', ...values);
const inAMinute = new Date((START + 67) * 1000);
const RFC_850 = `${inAMinute.toUTCString().replace(/^Sat, (\d+) (\w+) 20(\d+)/, 'Saturday, $1-$2-$3')}`;
const ASCTIME = inAMinute.toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/, '$1 $3 $2 $5 $4');

/** What speaks for and against the form of Retry-After (RETRY-2). */
export const retryAfterFormRows: readonly VerdictRow[] = rowsOf('RETRY-2', {
  seconds: pass(edit.unchanged),
  '0 (K75)': pass(at(limited, retry('0'))),
  'an HTTP-date (K01)': pass(at(limited, retry(inAMinute.toUTCString()))),
  'a date of RFC 850 (K02)': warn(at(limited, retry(RFC_850))),
  'a date as asctime writes it (K02)': warn(at(limited, retry(ASCTIME))),
  'a fraction': fail(at(limited, retry('59.5'))),
  'a negative number': fail(at(limited, retry('-1'))),
  'a unit behind it': fail(at(limited, retry('60s'))),
  milliseconds: warn(at(limited, retry('60000'))),
  'a Unix timestamp': warn(at(limited, retry(String(START + 67)))),
  'a Unix timestamp in nanoseconds, of 19 digits': warn(at(limited, retry(`${START + 67}000000000`))),
  'more digits than any number keeps, which has the syntax of delay-seconds': pass(
    at(limited, retry('9'.repeat(400))),
  ),
  'half a day beside headers that describe the minute (K23, K40)': pass(at(limited, retry('43200'))),
  'the seconds of an exhausted day that look like the milliseconds of a minute': pass(
    at(asked('exhausted-day'), retry('60000'), edit.header('X-RateLimit-Reset', String(START + 67))),
  ),
  'two alike': warn(at(limited, retry('60', '60'))),
  'two that differ': fail(at(limited, retry('60', '30'))),
  none: inconclusive(at(answered(429), retry())),
});

const undated = edit.header('Date');
const longAgo = retry('Sat, 21 Nov 2020 17:01:02 GMT');

/** What a retry shows where no response has a Date, or where it does not repeat what was rate-limited (RETRY-3). */
export const retryRows: readonly VerdictRow[] = [
  ...rowsOf('RETRY-3', {
    'a creation, whose 429 shows that quota remains, and then a list that is accepted': inconclusive(
      at(limited, edit.header('X-RateLimit-Remaining', '5')),
    ),
    'a date without a Date beside it, and accepted after it by the Date of that response': pass(
      at(limited, undated, longAgo),
    ),
    'a date in a run without any Date, and accepted after it by our clock': pass(
      edit.all(
        at(() => true, undated),
        at(limited, longAgo),
      ),
    ),
    'a date without a Date beside it, and accepted before it': inconclusive(
      at(limited, undated, retry('Thu, 21 Nov 2030 17:01:02 GMT')),
    ),
    'a date without a Date beside it, and 429 after it, perhaps on another clock': inconclusive(
      edit.all(at(limited, undated, longAgo), at(asked('recovery'), edit.limited)),
    ),
  }),
  ...rowsOf('RETRY-4', {
    'a date without a Date beside it': inconclusive(at(limited, undated, longAgo)),
  }),
];
