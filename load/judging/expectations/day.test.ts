import {
  burst,
  days,
  exhausted,
  limited,
  paced,
  preflight,
  testRows,
  waitOut,
} from '../../../evaluation/testing/load/rows.ts';
import type { StagedRun, StagedSample } from '../../../evaluation/testing/load/runs.ts';
import { countdown } from '../../../evaluation/testing/load/runs.ts';

/** A key that exceeds its limit, keeps sending, and tries twice, each time after a wait. */
const offends = (persisted: readonly StagedSample[], tries: readonly StagedSample[]): StagedRun => ({
  scenarios: [
    [
      'disposable',
      [
        preflight,
        burst(10),
        { ...paced(persisted.length, 250 * persisted.length), kind: 'persist' },
        ...[waitOut, burst(1), waitOut, burst(1)],
      ],
    ],
  ],
  samples: [
    ...exhausted,
    ...persisted.map((one) => ({ step: 2, ...one })),
    ...tries.map((one, at) => ({ step: 4 + 2 * at, ...one })),
  ].map((one) => ({ ...one, key: 'disposable' as const })),
});

const banned = (at: number, wait?: string): StagedSample => ({
  ...{ at, status: 403, left: 0 },
  ...(wait === undefined ? {} : { wait, resets: at + Number(wait) * 1000 }),
});
const further = [limited(1250), limited(1500)];
const announced = [...further, banned(1750, '90')];
const unannounced = [...further, banned(1750)];

testRows('the end of a day and of a ban', {
  DAY: {
    pass: {
      'all of it': [days(100, [limited(800_000, { wait: '80000' })]), /100 of 100/],
    },
    fail: {
      'rate-limited early, from an untouched day on': [
        days(0, [
          ...countdown(90, 99, { limit: 100 }, 7000),
          ...countdown(11, 0, { ...{ at: 640_000, status: 429, wait: '80000' }, limit: 100 }),
        ]),
        /the full quota of an untouched day/,
      ],
      'more than two days of it': [days(220), /of a day/],
      'a 429 without Retry-After': [
        days(100, [{ at: 800_000, status: 429, left: 0 }]),
        /received none on the 429 of/,
      ],
    },
    inconclusive: {
      'one more': [days(101), /if the day began anew/],
      'a run of half of it, with a 429 without Retry-After': [
        days(50, [{ at: 800_000, status: 429, left: 0 }]),
        /No key sent more than the quota of its day/,
      ],
      'a run of half of it, in which the clock of the target was set': [
        days(50, [{ at: 800_000, aheadMs: 20_000 }]),
        /No key sent more than the quota of its day/,
      ],
      'rate-limited early, accepted again, and rate-limited once more': [
        days(95, [
          limited(800_000, { wait: '4000' }),
          ...countdown(10, 9, { at: 800_100 }),
          limited(850_000, { wait: '80000' }),
        ]),
        /request 96 was rate-limited for longer than a minute after 95 of 100/,
      ],
      'rate-limited early': [
        days(90, [limited(800_000, { wait: '80000' }), ...countdown(10, 0, { at: 800_100 })]),
        /used before the run/,
      ],
    },
  },
  'BAN-ENDS': {
    pass: {
      'without a ban': [
        offends(further, [{ at: 61_500 }, { at: 61_600 }]),
        /got 429 and no other sign of a ban; request 14 was accepted 60 s after the last of 2 requests beyond/,
      ],
      'a ban that ends as announced': [
        offends(announced, [{ at: 92_800 }, { at: 92_900 }]),
        /banned: request 14 returned 403; request 15 was accepted/,
      ],
      'a ban that ends after one wait more': [
        offends(announced, [banned(92_800, '5'), { at: 98_900 }]),
        /request 16 was accepted/,
      ],
    },
    fail: {
      'a ban that outlasts two announced waits': [
        offends(announced, [banned(92_800, '5'), banned(98_900, '5')]),
        /403 for request 15 and 403 for request 16, each sent after Retry-After.*own of 5 seconds.*banned: request 14/,
      ],
      'a ban that outlasts two announced waits, tried when each was over': [
        offends(announced, [banned(91_760, '5'), banned(96_770, '5')]),
        /403 for request 15 and 403 for request 16/,
      ],
      'a ban by 429 that outlasts two announced waits': [
        offends(further, [limited(61_600), limited(121_800)]),
        /429 for request 14 and 429 for request 15/,
      ],
    },
    inconclusive: {
      'a ban that announces no end': [
        offends(unannounced, [banned(62_600), banned(62_700)]),
        /leaves open how long a ban lasts/,
      ],
      'a ban of which only the last response announces an end': [
        offends(unannounced, [banned(62_600, '5'), banned(68_700, '5')]),
        /leaves open how long a ban lasts/,
      ],
      'tried once': [offends(further, [limited(61_600)]), /was not tried twice/],
      'tried too early, and once more in time': [
        offends(announced, [banned(80_000, '5'), banned(92_800, '5')]),
        /before every announced wait was over/,
      ],
      'tried too early': [
        offends(announced, [banned(80_000, '5'), banned(85_100, '5')]),
        /before every announced wait was over/,
      ],
      'answered with an error': [
        offends(announced, [banned(92_800, '5'), { at: 98_900, status: 500 }]),
        /says nothing about the key/,
      ],
    },
  },
});
