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

testRows('day', {
  DAY: {
    pass: {
      'all of it': days(100, [limited(800_000, { wait: '80000' })]),
    },
    fail: {
      'rate-limited early, from an untouched day on': days(0, [
        ...countdown(90, 99, { limit: 100 }, 7000),
        ...countdown(11, 0, { ...{ at: 640_000, status: 429, wait: '80000' }, limit: 100 }),
      ]),
      'more than two days of it': days(220),
      'a 429 without Retry-After': days(100, [{ at: 800_000, status: 429, left: 0 }]),
    },
    inconclusive: {
      'one more': days(101),
      'a run of half of it, with a 429 without Retry-After': days(50, [
        { at: 800_000, status: 429, left: 0 },
      ]),
      'a run of half of it, in which the clock of the target was set': days(50, [
        { at: 800_000, aheadMs: 20_000 },
      ]),
      'rate-limited early': days(90, [
        limited(800_000, { wait: '80000' }),
        ...countdown(10, 0, { at: 800_100 }),
      ]),
    },
  },
  'BAN-ENDS': {
    pass: {
      'without a ban': offends(further, [{ at: 61_500 }, { at: 61_600 }]),
      'a ban that ends as announced': offends(announced, [{ at: 92_800 }, { at: 92_900 }]),
      'a ban that ends after one wait more': offends(announced, [banned(92_800, '5'), { at: 98_900 }]),
    },
    fail: {
      'a ban that outlasts two announced waits': offends(announced, [
        banned(92_800, '5'),
        banned(98_900, '5'),
      ]),
      'a ban that outlasts two announced waits, tried when each was over': offends(announced, [
        banned(91_760, '5'),
        banned(96_770, '5'),
      ]),
      'a ban by 429 that outlasts two announced waits': offends(further, [limited(61_600), limited(121_800)]),
    },
    inconclusive: {
      'a ban of which only the last response announces an end': offends(unannounced, [
        banned(62_600, '5'),
        banned(68_700, '5'),
      ]),
      'tried once': offends(further, [limited(61_600)]),
      'tried too early, and once more in time': offends(announced, [
        banned(80_000, '5'),
        banned(92_800, '5'),
      ]),
      'answered with an error': offends(announced, [banned(92_800, '5'), { at: 98_900, status: 500 }]),
    },
  },
});
