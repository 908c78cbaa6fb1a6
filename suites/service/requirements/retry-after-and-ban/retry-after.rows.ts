import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { START } from '../../../../evaluation/testing/suites/synthetic.ts';

const { at, asked, answered, both } = edit;
const limited = both(asked('exhaust-quota'), answered(429));
const retry = (...values: readonly string[]) => edit.header('Retry-After', ...values);
const inAMinute = new Date((START + 67) * 1000);
const RFC_850 = `${inAMinute.toUTCString().replace(/^Sat, (\d+) (\w+) 20(\d+)/, 'Saturday, $1-$2-$3')}`;
const ASCTIME = inAMinute.toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/, '$1 $3 $2 $5 $4');

/** What speaks for and against the form of Retry-After (RETRY-2). */
export const retryAfterFormRows: readonly VerdictRow[] = [
  { id: 'RETRY-2', description: 'seconds', journal: edit.unchanged, verdict: 'pass' },
  { id: 'RETRY-2', description: '0 (K75)', journal: at(limited, retry('0')), verdict: 'pass' },
  {
    id: 'RETRY-2',
    description: 'an HTTP-date (K01)',
    journal: at(limited, retry(inAMinute.toUTCString())),
    verdict: 'pass',
  },
  {
    id: 'RETRY-2',
    description: 'a date of RFC 850 (K02)',
    journal: at(limited, retry(RFC_850)),
    verdict: 'warn',
  },
  {
    id: 'RETRY-2',
    description: 'a date as asctime writes it (K02)',
    journal: at(limited, retry(ASCTIME)),
    verdict: 'warn',
  },
  { id: 'RETRY-2', description: 'a fraction', journal: at(limited, retry('59.5')), verdict: 'fail' },
  { id: 'RETRY-2', description: 'a negative number', journal: at(limited, retry('-1')), verdict: 'fail' },
  { id: 'RETRY-2', description: 'a unit behind it', journal: at(limited, retry('60s')), verdict: 'fail' },
  { id: 'RETRY-2', description: 'milliseconds', journal: at(limited, retry('60000')), verdict: 'warn' },
  {
    id: 'RETRY-2',
    description: 'a Unix timestamp',
    journal: at(limited, retry(String(START + 67))),
    verdict: 'warn',
  },
  {
    id: 'RETRY-2',
    description: 'a Unix timestamp in nanoseconds, of 19 digits',
    journal: at(limited, retry(`${START + 67}000000000`)),
    verdict: 'warn',
  },
  {
    id: 'RETRY-2',
    description: 'more digits than any number keeps, which has the syntax of delay-seconds',
    journal: at(limited, retry('9'.repeat(400))),
    verdict: 'pass',
  },
  {
    id: 'RETRY-2',
    description: 'half a day beside headers that describe the minute (K23, K40)',
    journal: at(limited, retry('43200')),
    verdict: 'pass',
  },
  {
    id: 'RETRY-2',
    description: 'the seconds of an exhausted day that look like the milliseconds of a minute',
    journal: at(asked('exhausted-day'), retry('60000'), edit.header('X-RateLimit-Reset', String(START + 67))),
    verdict: 'pass',
  },
  { id: 'RETRY-2', description: 'two alike', journal: at(limited, retry('60', '60')), verdict: 'warn' },
  { id: 'RETRY-2', description: 'two that differ', journal: at(limited, retry('60', '30')), verdict: 'fail' },
  { id: 'RETRY-2', description: 'none', journal: at(answered(429), retry()), verdict: 'inconclusive' },
];

const undated = edit.header('Date');
const longAgo = retry('Sat, 21 Nov 2020 17:01:02 GMT');

/** What a retry shows where no response has a Date, or where it does not repeat what was rate-limited (RETRY-3). */
export const retryRows: readonly VerdictRow[] = [
  {
    id: 'RETRY-3',
    description: 'a creation, whose 429 shows that quota remains, and then a list that is accepted',
    journal: at(limited, edit.header('X-RateLimit-Remaining', '5')),
    verdict: 'inconclusive',
  },
  {
    id: 'RETRY-3',
    description: 'a date without a Date beside it, and accepted after it by the Date of that response',
    journal: at(limited, undated, longAgo),
    verdict: 'pass',
  },
  {
    id: 'RETRY-3',
    description: 'a date in a run without any Date, and accepted after it by our clock',
    journal: edit.all(
      at(() => true, undated),
      at(limited, longAgo),
    ),
    verdict: 'pass',
  },
  {
    id: 'RETRY-3',
    description: 'a date without a Date beside it, and accepted before it',
    journal: at(limited, undated, retry('Thu, 21 Nov 2030 17:01:02 GMT')),
    verdict: 'inconclusive',
  },
  {
    id: 'RETRY-3',
    description: 'a date without a Date beside it, and 429 after it, perhaps on another clock',
    journal: edit.all(at(limited, undated, longAgo), at(asked('recovery'), edit.limited)),
    verdict: 'inconclusive',
  },
  {
    id: 'RETRY-4',
    description: 'a date without a Date beside it',
    journal: at(limited, undated, longAgo),
    verdict: 'inconclusive',
  },
];
