import {
  bursts,
  exhausted,
  limited,
  polite,
  polites,
  preflight,
  testRows,
  waits,
} from '../../../evaluation/testing/load/rows.ts';
import { countdown } from '../../../evaluation/testing/load/runs.ts';

testRows('waits', {
  RECOVERY: {
    pass: {
      accepted: waits([...exhausted, { at: 61_100, step: 3 }, { at: 61_200, step: 5 }]),
    },
    fail: {
      'rate-limited twice': waits([
        ...exhausted,
        limited(61_100, { step: 3, wait: '5' }),
        limited(67_200, { step: 5 }),
      ]),
    },
    inconclusive: {
      'rate-limited once': waits([
        ...exhausted,
        limited(61_100, { step: 3, wait: '5' }),
        { at: 67_200, step: 5 },
      ]),
      'rate-limited twice, the second time before the second wait was over': waits([
        ...exhausted,
        limited(61_100, { step: 3, wait: '5' }),
        limited(65_900, { step: 5 }),
      ]),
      'without a step that waits': bursts([...exhausted, limited(61_100, { wait: '5' }), limited(67_200)]),
      'never rate-limited': waits([...countdown(11, 9), { at: 2000, step: 3 }, { at: 2100, step: 5 }]),
    },
  },
  GOODPUT: {
    pass: {
      'all of it, beside a key of another client, which waits for nothing': {
        scenarios: [
          ['key', [preflight, polite(20)]],
          ['other', [preflight]],
        ],
        samples: [
          ...[...countdown(10, 9), limited(1000), ...countdown(10, 9, { at: 60_500, resets: 120_000 })].map(
            (one, i) => ({ step: i === 0 ? 0 : 1, ...one }),
          ),
          { at: 0, key: 'other' },
        ],
      },
      'what a wait of 67 seconds leaves, rounded up by the target': polites([
        ...countdown(9, 9),
        limited(900, { wait: '67' }),
        { at: 72_000, left: 9 },
      ]),
    },
    fail: {
      'rate-limited twice after its waits': polites([
        ...countdown(10, 9),
        limited(1000),
        limited(61_100, { wait: '5' }),
        limited(67_200),
        { at: 130_000 },
      ]),
      'half of it': polites([
        ...countdown(5, 9),
        limited(500),
        ...countdown(5, 9, { at: 60_500, resets: 120_000 }),
        limited(61_000, { resets: 120_000 }),
        { at: 121_000, left: 9 },
      ]),
    },
    inconclusive: {
      'nothing to wait for': polites(countdown(5, 9)),
    },
  },
  'NO-BAN': {
    pass: {
      'still answered': polites([...exhausted, { at: 61_000, left: 9 }]),
    },
    fail: {
      banned: polites([...exhausted, { at: 61_000, status: 403 }]),
    },
    inconclusive: {
      'after no wait': polites([...exhausted, { at: 2000, status: 403 }]),
      'of a burst that was under way when the limit was reached, the banned request sent first': bursts([
        ...countdown(9, 9),
        { at: 950, took: 900, status: 401 },
        limited(960, { took: 50 }),
        limited(970),
      ]),
      'after no wait, and once more after one': polites([
        ...exhausted,
        { at: 2000, status: 403 },
        { at: 61_000, status: 403 },
      ]),
      'never accepted before': polites([limited(0), { at: 61_000, status: 403 }]),
      'rate-limited only after the ban': polites([
        ...countdown(5, 9),
        { at: 600, status: 403 },
        limited(610),
      ]),
      'never rate-limited': polites(countdown(5, 9)),
      'of a disposable key': {
        scenarios: [['disposable', [preflight, polite(11)]]],
        samples: [...exhausted, { at: 61_000, status: 403 }].map((one) => ({
          ...one,
          key: 'disposable' as const,
        })),
      },
    },
  },
});
