import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { START, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import type { Quota } from '../quota.ts';
import { beyondUndatedReset } from './undated-reset.ts';

const BUSINESS: Quota = { limit: 1000, windowMs: 60_000 };

/** What a burst shows besides its number of requests: Reset in seconds after the start, and Remaining. */
interface Shown {
  readonly reset?: (i: number) => number;
  readonly left?: (i: number) => number;
  readonly date?: number | null;
}

/** A response of a Business key without Date. Times are milliseconds. */
const shows = (sent: number, left: number, reset: number, date: number | null): StagedExchange => ({
  ...{ sent, received: sent + 5, date },
  headers: [
    ['X-RateLimit-Limit', '1000'],
    ['X-RateLimit-Remaining', String(left)],
    ['X-RateLimit-Reset', String(START + reset)],
  ],
});

/** Two single requests around a pause, and as many in half a second after it. */
function burst(requests: number, { reset = () => 60, left, date = null }: Shown = {}): Synthesis {
  const run = new Synthesis().add(shows(0, 999, reset(0), date)).add(shows(1200, 998, reset(0), date));
  for (let i = 2; i < requests; i += 1)
    run.add(shows(1300 + i / 2, left?.(i) ?? Math.max(0, 999 - i), reset(i), date));
  return run;
}

/** The largest rise that is no sign of another window: a tenth of the limit, and the ten requests whose responses are under way. */
const RISE = 110;
const risesBy = (rise: number) => (i: number) => Math.max(0, 999 - i + (i < 500 ? 0 : rise));

describe('accepted under one Reset without Date', () => {
  const rows: readonly (readonly [name: string, run: Synthesis, accepted: number | undefined])[] = [
    ['the limit', burst(1000), undefined],
    ['the limit and what may come back in the second that rounding hides', burst(1018), undefined],
    ['more than that', burst(1021), 1019],
    [
      'a Reset that moves by a second hides twice as much',
      burst(1021, { reset: (i) => 60 + (i % 2) }),
      undefined,
    ],
    [
      'a Reset that moves on, as that of a bucket does',
      burst(1021, { reset: (i) => 10 + Math.floor(i / 17) }),
      undefined,
    ],
    [
      'Remaining rises, as where the end of a day follows that of a minute',
      burst(1021, { left: (i) => (i < 500 ? 999 - i : 1499 - i) }),
      undefined,
    ],
    ['Remaining rises by a tenth', burst(1021, { left: risesBy(RISE) }), 1019],
    ['Remaining rises by more', burst(1021, { left: risesBy(RISE + 1) }), undefined],
    ['responses with Date, which another bound judges', burst(1021, { date: START }), undefined],
  ];
  for (const [name, run, accepted] of rows)
    test(name, () => assert.equal(beyondUndatedReset(run.exchanges, BUSINESS)?.accepted, accepted));
});
