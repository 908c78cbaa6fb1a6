import {
  burst,
  bursts,
  exhausted,
  limited,
  paced,
  polites,
  preflight,
  testRows,
} from '../../../evaluation/testing/load/rows.ts';
import type { StagedRun, StagedSample } from '../../../evaluation/testing/load/runs.ts';
import { countdown } from '../../../evaluation/testing/load/runs.ts';

/** Two keys that may be of one account, each with a burst after its first request. */
const twoOfFleet = (one: readonly StagedSample[], another: readonly StagedSample[]): StagedRun => ({
  scenarios: [
    ['fleet-1', [preflight, burst(one.length - 1)]],
    ['fleet-2', [preflight, burst(another.length - 1)]],
  ],
  samples: [
    ...one.map((sample) => ({ ...sample, key: 'fleet-1' as const })),
    ...another.map((sample) => ({ ...sample, key: 'fleet-2' as const })),
  ],
  exclusive: true,
});

/** Twenty keys that are rate-limited after two requests each, and one after six. */
const amongFleet: StagedRun = {
  scenarios: Array.from({ length: 21 }, (_, at) => [`fleet-${at + 1}`, [preflight, burst(at < 20 ? 2 : 6)]]),
  samples: Array.from({ length: 21 }, (_, at) =>
    [...countdown(at < 20 ? 2 : 6, 9), limited(700)].map(
      (one): StagedSample => ({ ...one, key: `fleet-${at + 1}` }),
    ),
  ).flat(),
  exclusive: true,
};

/** All of the limit, spread evenly over a minute. */
const evenly: StagedRun = { scenarios: [['key', [paced(10)]]], samples: countdown(10, 9) };

testRows('limits', {
  'NO-429': {
    pass: {
      none: bursts(countdown(9, 9)),
      'none but of the preflight request, of a key in use that then waited': {
        scenarios: [['key', [preflight, { kind: 'await full quota', neededMs: 1000 }, burst(9)]]],
        samples: [limited(0), ...countdown(9, 9, { at: 60_500, step: 2, resets: 120_000 })],
      },
    },
    fail: {
      'within the limit': bursts([...countdown(6, 9), limited(700)]),
      'half a second after quota for two, and less after quota for one': bursts([
        ...countdown(9, 9),
        limited(1250),
      ]),
      'of a key that counts its own requests, while another sent five': twoOfFleet(
        [...countdown(6, 9), limited(700)],
        [...countdown(4, 9, { at: 10 }), { at: 490 }],
      ),
      'of one key that counts its own requests, beside twenty that may be of one account': amongFleet,
      'of a scheduled request, sooner than another client could use what was left': {
        scenarios: [['key', [paced(7)]]],
        samples: [...countdown(6, 9, { took: 1 }, 1000), limited(5001, { took: 2, wait: '55' })],
      },
      'after two windows without a request, that left the limit untouched': bursts([
        ...countdown(1, 9),
        ...countdown(4, 9, { at: 130_000, resets: 180_000 }),
        limited(130_400, { wait: '49', resets: 180_000 }),
      ]),
      'after less than two windows without a request, by a counter that remembers what came before': bursts([
        ...countdown(1, 9),
        { at: 115_000, left: 7, resets: 180_000 },
        ...countdown(3, 6, { at: 122_000, resets: 180_000 }),
        limited(122_400, { wait: '57', resets: 180_000 }),
      ]),
    },
    inconclusive: {
      'whose Retry-After does not end at its Reset': bursts([
        ...countdown(6, 9),
        limited(700, { wait: '40' }),
      ]),
      'of a key that had counted two of its own requests when quota came back, while another sent five':
        twoOfFleet(
          [...countdown(3, 9), ...countdown(4, 7, { at: 300 }), limited(700)],
          countdown(5, 9, { at: 90 }),
        ),
      'of a key that counted five of its own requests and then others, while another sent five': twoOfFleet(
        [...countdown(6, 9), { at: 600, left: 2 }, limited(700)],
        countdown(5, 9, { at: 90 }),
      ),
      'of a key that was in use at first and counted its own requests later, while another sent six':
        twoOfFleet(
          [
            { at: 0, left: 7 },
            ...countdown(6, 9, { at: 130_000, resets: 190_000 }),
            limited(130_700, { resets: 190_000 }),
          ],
          countdown(6, 9, { at: 130_010, resets: 190_000 }),
        ),
      'of another client, by chance at every second request': bursts([
        ...[9, 8, 6, 5, 3, 2, 0].map((left, i) => ({ at: 100 * i ** 2, left })),
        limited(3700),
      ]),
      'of the first request, whatever wait it announces': bursts([
        limited(0, { wait: '4000' }),
        ...countdown(3, 9, { at: 100 }),
      ]),
      'after use before the run': bursts([...countdown(3, 6), limited(700)]),
      'another client during a burst that was sent at once': bursts([
        ...countdown(1, 9),
        ...[7, 6, 4, 3, 1, 0].map((left) => ({ at: 100 + left, took: 300, left })),
        limited(450),
      ]),
      'another client during a burst, the first request of which was answered last': bursts([
        ...[
          { at: 0, left: 9 },
          { at: 99, took: 800 },
          { at: 100, took: 30, left: 4 },
        ],
        ...[500, 520, 540].map((at) => ({ at, left: null })),
        limited(560),
      ]),
      'another client, shown after two windows without a request': bursts([
        ...countdown(1, 9),
        ...countdown(4, 7, { at: 120_010, resets: 180_000 }),
        limited(120_410, { resets: 180_000 }),
      ]),
      'another client before the burst began': bursts([...countdown(1, 9), limited(30_000, { wait: '29' })]),
    },
  },
  FLOOR: {
    pass: {
      'all of it': bursts(exhausted),
      'all of it, by late headers': bursts([
        ...countdown(1, 9),
        ...countdown(9, 9, { at: 100 }),
        limited(1000),
      ]),
      'a sliding counter whose window began anew while nothing was sent, and that still weighs the preflight request':
        bursts([...countdown(1, 9), ...countdown(9, 8, { at: 80_000 }), limited(81_000, { wait: '35' })]),
    },
    fail: {
      'all but one': bursts([...countdown(9, 9), limited(900), limited(950)]),
    },
    inconclusive: {
      'evenly sent': evenly,
      'where the clock of the target was set back': bursts(
        exhausted.map((one, at) => ({ ...one, aheadMs: at < 5 ? 20_000 : 0 })),
      ),
      'where the clock of the target was set': bursts(
        exhausted.map((one, at) => ({ ...one, aheadMs: at < 5 ? 0 : 20_000 })),
      ),
      'too slowly': bursts(countdown(10, 9, {}, 20_000)),
      'each answer slower than a window': bursts(countdown(10, 9, { took: 70_000 })),
      'where connections were lost': bursts(countdown(13, 9).map((one, at) => ({ ...one, silent: at > 7 }))),
    },
  },
  CEILING: {
    pass: {
      'nine without a pause, after a preflight request in another window': bursts([
        ...countdown(1, 9),
        ...countdown(9, 9, { at: 130_000, resets: 180_000 }),
      ]),
      'all of the limit and no more': bursts(countdown(10, 9)),
      'one too many, where Reset may follow the clock': bursts([...countdown(11, 9), limited(1100)]),
    },
    fail: {
      'all of the limit, of which Remaining shows nothing': bursts(
        countdown(10, 9, {}, 300).map((one) => ({ ...one, left: 9 })),
      ),
      'one too many, while Reset stood still': bursts([...countdown(11, 9, {}, 300), limited(3300)]),
      'more than the limit and what flows back, in answers of nine seconds under one Reset': bursts(
        countdown(18, 9, { took: 9000 }, 500),
      ),
    },
    inconclusive: {
      'no 429, over two windows': bursts(countdown(13, 9, {}, 9000)),
      'all of the limit, evenly': evenly,
      'no more than eight without a pause': bursts([
        ...countdown(8, 9),
        ...countdown(2, 9, { at: 130_000, resets: 180_000 }),
      ]),
    },
  },
  'RATE-LIMITED': {
    pass: {
      'with Retry-After': bursts(exhausted),
    },
    fail: {
      without: bursts([...exhausted.slice(0, 10), { at: 1000, status: 429, left: 0 }]),
      'with nonsense': bursts([...exhausted.slice(0, 10), limited(1000, { wait: 'soon' })]),
      never: bursts(countdown(14, 9)),
    },
    inconclusive: {
      'never, where connections were lost': bursts(
        countdown(13, 9).map((one, at) => ({ ...one, silent: at > 7 })),
      ),
      'never, and exactly the limit was sent': bursts(countdown(10, 9)),
    },
  },
  REMAINING: {
    pass: {
      kept: bursts(exhausted),
    },
    fail: {
      'by the first of two 429 responses at once, of which the second is about another limit': bursts([
        ...countdown(6, 9),
        limited(700, { took: 20 }),
        limited(705, { took: 20, wait: '4000' }),
      ]),
      'twice at the same Remaining, the second time after two requests': polites([
        ...countdown(6, 9),
        limited(700, { left: 4 }),
        ...countdown(2, 5, { at: 60_800, resets: 120_000 }),
        limited(61_600, { left: 4, resets: 120_000, wait: '58' }),
      ]),
    },
    inconclusive: {
      'twice at the same Remaining, the first time after a request alone; another came when the wait ended':
        polites([
          { at: 0, left: 9 },
          limited(700, { left: 9 }),
          { at: 59_710, left: 10, resets: 120_000 },
          { at: 60_000, left: 9, resets: 120_000 },
          limited(60_800, { left: 9, resets: 120_000 }),
        ]),
      'twice at the same Remaining, the second time before the first wait was over': polites([
        ...countdown(6, 9),
        limited(700, { left: 4 }),
        limited(980, { left: 4 }),
        { at: 59_800, left: 5, resets: 120_000 },
        { at: 59_900, left: 4, resets: 120_000 },
      ]),
      'once, by a 429 that shows quota, too, as that of a day behind the headers of the minute': bursts([
        ...countdown(6, 9),
        limited(700, { left: 4 }),
      ]),
      'again at another Remaining': polites([
        ...countdown(6, 9),
        limited(700, { left: 4 }),
        ...countdown(10, 9, { at: 60_800, resets: 120_000 }),
        limited(62_000, { resets: 120_000, wait: '58' }),
      ]),
      'once, two windows after the limit was reached': polites([
        ...countdown(10, 9),
        limited(1000),
        ...countdown(6, 9, { at: 190_500, resets: 240_000 }),
        limited(191_200, { left: 4, resets: 240_000, wait: '49' }),
      ]),
      'once, over a new connection': bursts([...countdown(6, 9), limited(700, { left: 4, opened: true })]),
      'of a small bucket, over a new connection': bursts([
        ...countdown(6, 9),
        limited(700, { wait: '2', opened: true }),
      ]),
      'of a small bucket': bursts([...countdown(6, 9), limited(700, { wait: '2' })]),
      'none made': bursts(countdown(2, 9).map((one) => ({ ...one, left: null }))),
    },
  },
});
