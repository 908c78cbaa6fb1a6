import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUOTA } from '../../../evaluation/testing/rate-limits/bursts.ts';
import { exchangeOf, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import type { Quota } from '../quota.ts';
import {
  acceptedBetween429s,
  dayCountOf,
  mayBeUntouched,
  showsRefilled,
  showsUntouched,
  showsUse,
} from './windows.ts';

const DAY = 86_400;
const NEW_DAY_QUOTA: Quota = { limit: 1000, windowMs: DAY * 1000 };

/** One accepted request every second, then a 429 that announces the end of the day in so many seconds. */
function counted(requests: number, endsIn: number | undefined, resetIn = 60) {
  const run = new Synthesis();
  // The clock of a run begins when its machine does.
  const start = 10 * NEW_DAY_QUOTA.windowMs;
  for (let i = 0; i < requests; i += 1) run.add({ sent: start + 1000 * i, received: start + 1000 * i + 10 });
  const accepted = [...run.exchanges];
  const end = endsIn === undefined ? [] : ([['Retry-After', String(endsIn)]] as const);
  const at = start + 1000 * requests;
  run.add({ status: 429, sent: at, received: at + 10, left: 0, limit: 1000, resetIn, headers: end });
  const limited = run.exchanges.at(-1);
  assert.ok(limited !== undefined);
  return dayCountOf(accepted, limited, NEW_DAY_QUOTA).kind;
}

const rows: readonly [requests: number, endsIn: number | undefined, kind: string, what: string][] = [
  [1000, DAY - 1000, 'one day', 'a day from the first request'],
  [999, DAY - 999, 'one day', 'one less'],
  // 12 flow back in this time, one by one or twice in one piece.
  [1025, 86, 'one day', 'a bucket that gives one back every 86 s'],
  [1500, DAY, 'a new day began', 'a day that begins with the 429'],
  [1500, DAY / 2 - 700, 'a new day began', 'half of the day’s quota every half a day'],
  [1500, DAY - 1500, 'too many', 'one and a half days’ quotas in a day from the first request'],
  [2000, DAY - 2000, 'too many', 'two days’ quotas in a day from the first request'],
  [2000, DAY - 1000, 'a new day began', 'a day that began when the first one was used'],
  [1500, 3 * DAY, 'open', 'a penalty of days'],
  [1500, undefined, 'open', 'no Retry-After'],
];
for (const [requests, endsIn, kind, what] of rows) {
  test(`${requests} accepted requests, ${what}: ${kind}`, () =>
    assert.equal(counted(requests, endsIn), kind));
}

test('where Reset is later than the end of the wait, it is the end of the day', () =>
  assert.equal(counted(1500, 60, DAY - 1000), 'a new day began'));

/**
 * One request for each letter, each so many milliseconds long: `a` accepted, `r` rate-limited, `s` rate-limited with
 * some of the quota left, `n` not found, `u` not authenticated, `x` without a response; ten seconds pass at a dot.
 * @param left Remaining of what was accepted, and of `r`.
 */
function sent(letters: string, milliseconds = 2, afterSeconds = 0, left: number | null = 0): Synthesis {
  const status: Readonly<Record<string, number>> = { a: 200, r: 429, s: 429, n: 404, u: 401 };
  const { limit } = QUOTA;
  const run = new Synthesis().add({ left, limit }).wait(afterSeconds);
  for (const letter of letters) {
    if (letter === '.') run.wait(10);
    else
      run
        .add(
          letter === 'x'
            ? { noResponse: 'timeout' }
            : { status: status[letter] ?? 200, left: letter === 's' ? 9 : left, limit },
        )
        .wait((milliseconds - 2) / 1000);
  }
  return run;
}

const isCounted = (): boolean => true;

for (const [what, run, accepted] of [
  ['every second request', sent('arararar'), 3],
  ['every second request, in the middle of the window', sent('rarararar', 2, 25), 3],
  ['the same piece with a 401 in it', sent('raauaaarrrr'), undefined],
  ['every second request, after a 429 that ten seconds followed', sent('r.rararar'), 3],
  ['every second request, so slowly that as many flow back', sent('rarararararar', 500), undefined],
  ['every second request, at the end of the window', sent('rarararar', 2, 31), undefined],
  ['none', sent('rrrrrr'), undefined],
  ['paths that do not exist', sent('rnrnrnrnrnr'), undefined],
  [
    'the limit and more, where no response shows what is left',
    sent(`${'a'.repeat(59)}rararar`, 2, 0, null),
    3,
  ],
  [
    'less than the limit, and paths that do not exist, where no response shows it',
    sent(`${'a'.repeat(50)}${'n'.repeat(10)}rararar`, 2, 0, null),
    undefined,
  ],
] as const) {
  test(`accepted between 429 responses: ${what}`, () => {
    assert.equal(acceptedBetween429s(run.exchanges, isCounted, QUOTA)?.accepted.length, accepted);
  });
}

test('a response that may come from a router does not count, but separates no other two', () => {
  const run = sent('rararararar');
  const none = acceptedBetween429s(run.exchanges, () => false, QUOTA);
  assert.equal(none, undefined);
});

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
    const shows = [showsUntouched(shown, 60), showsRefilled(shown, 60), showsUse(shown, 60)];
    assert.deepEqual(shows, [untouched, refilled, used]);
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
    assert.equal(mayBeUntouched(exchangeOf(told), 60), possible);
  });
}
