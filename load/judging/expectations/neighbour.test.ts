import {
  beside,
  burst,
  bursts,
  exhausted,
  limited,
  paced,
  preflight,
  testRows,
} from '../../../evaluation/testing/load/rows.ts';
import type { StagedRun, StagedSample } from '../../../evaluation/testing/load/runs.ts';
import { countdown, LIMITS } from '../../../evaluation/testing/load/runs.ts';
import type { KeyAlias } from '../../model/profile.ts';

/** A quiet key that is answered slowly at those of its times, in milliseconds since the beginning. */
const slowed = (slowly: (at: number) => boolean): readonly StagedSample[] =>
  Array.from({ length: 45 }, (_, i) => ({ at: i * 4000, left: 9, took: slowly(i * 4000) ? 610 : 10 }));

/** So many requests of the quiet key, in which the loud one is under way, and after it: as many are answered slowly as stated. */
const answeredSlowly = (during: number, after: number): readonly StagedSample[] => [
  ...Array.from({ length: 12 }, (_, i) => ({ at: LOUD_AT + i * 80, left: 9, took: i < during ? 610 : 10 })),
  ...Array.from({ length: 30 }, (_, i) => ({ at: 62_000 + i * 1500, left: 9, took: i < after ? 610 : 10 })),
];

/** A minute of baseline, then a key that exceeds its limit. */
const LOUD_AT = 60_000;
const loudLater = exhausted.map((one) => ({ ...one, at: one.at + LOUD_AT, resets: 2 * LOUD_AT }));

/** The same beside that key. */
const slowedBeside = (slowly: (at: number) => boolean): StagedRun => beside(slowed(slowly), loudLater);

/** A quiet key of which this machine sent every request late once the other key was loud. */
const sentLate = slowed(() => false).map(({ at, ...more }) => ({
  ...more,
  ...(at === 0 ? {} : { planned: at }),
  at: at < LOUD_AT ? at : at + 600,
}));

/** Two keys of one bucket: so many requests of the quiet one, as many of the loud one as it gets, and one after that. */
const oneCount = (
  before: number,
  ofLoud: number,
  keys: readonly [KeyAlias, KeyAlias] = ['key', 'other'],
): StagedRun => ({
  ...beside(
    [...countdown(before, 59), { at: 3000, left: 59 - before - ofLoud }],
    [...countdown(ofLoud, 59 - before, { at: 1000, step: 1 }, 10), limited(1600, { step: 1, wait: '1' })],
    keys,
  ),
  limits: { ...LIMITS, perMinute: 60 },
});

const tenOfAnother = oneCount(6, 10);

/** A quiet key that is rate-limited for what it and the loud one sent together. */
const bothLimited = (loud: KeyAlias, quiet: KeyAlias): StagedRun => ({
  ...beside([...countdown(3, 9, {}, 900), limited(3000), limited(4000, { wait: '56' })], exhausted, [
    loud,
    quiet,
  ]),
  exclusive: true,
});

/**
 * A key that exceeds its limit, and so many others that get a 429 which no header explains at their first request after
 * that, or at a later one.
 */
const limitedWith = (
  loud: KeyAlias,
  fleet: number,
  more: readonly StagedSample[] = [],
  { again = [], opened }: { again?: readonly StagedSample[]; opened?: true } = {},
): StagedRun => {
  const others = Array.from({ length: fleet }, (_, at) => `fleet-${at + 1}` as const);
  const first429 = limited(9000, {
    ...{ left: 57 - more.length, wait: '40' },
    ...(opened === undefined ? {} : { opened }),
  });
  const quiet = [...countdown(2, 59), ...more, first429];
  return {
    scenarios: [
      [loud, [burst(61 + again.length)]],
      ...others.map((key) => [key, [paced(quiet.length)]] as const),
    ],
    samples: [
      ...[...countdown(60, 59), limited(6000), ...again].map((one) => ({ key: loud, ...one })),
      ...others.flatMap((key) => quiet.map((one) => ({ key, ...one }))),
    ],
    ...{ limits: { ...LIMITS, perMinute: 60 }, exclusive: true },
  };
};
const later: readonly StagedSample[] = [{ at: 8000, left: 57 }];

testRows('neighbour', {
  NEIGHBOUR: {
    pass: {
      'left alone': slowedBeside(() => false),
      'left alone, by a key that was rate-limited once more at the end': {
        ...beside(
          slowed(() => false),
          [...loudLater, limited(200_000, { resets: 240_000, wait: '40' })],
        ),
        scenarios: [
          ['key', [preflight, burst(11)]],
          ['other', [preflight, paced(44)]],
        ],
      },
      'slow before the other one began': slowedBeside((at) => at < LOUD_AT),
    },
    fail: {
      'rate-limited': bothLimited('key', 'other'),
      'shut out': { ...beside([...countdown(3, 9, {}, 400), { at: 3000, status: 403 }]), exclusive: true },
      'slowed down after the other one had sent': beside(
        [...slowed(() => false).slice(0, 15), ...answeredSlowly(0, 30)],
        loudLater,
      ),
      'one count of both, of which as much flowed back as may': {
        ...{ ...oneCount(8, 51), exclusive: true },
        samples: oneCount(8, 51).samples.map((one) => (one.at === 3000 ? { ...one, left: 4 } : one)),
      },
      'one count of both, each request of the quiet key sent when the response before it came': {
        ...{ ...oneCount(8, 51), exclusive: true },
        samples: oneCount(8, 51).samples.map((one) =>
          one.key === 'other' && one.at < 1000 ? { ...one, at: one.at / 10 } : one,
        ),
      },
      'ten requests of another key, which began when the quiet one got a response': {
        ...{ ...oneCount(7, 10), exclusive: true },
        samples: [...oneCount(7, 10).samples, { at: 110, left: 58 }],
      },
      'ten requests of another key': { ...oneCount(6, 10), exclusive: true },
      'ten requests of another key, which got a response when the quiet one began': {
        ...{ ...tenOfAnother, exclusive: true },
        samples: [{ at: -10, left: 59 }, ...tenOfAnother.samples],
      },
      'thirteen keys limited with another caller': limitedWith('key', 13),
      'thirteen keys limited with another caller, which is limited once more after them': limitedWith(
        'key',
        13,
        [],
        { again: [limited(9500)] },
      ),
    },
    inconclusive: {
      'a key alone': bursts(exhausted),
      'left alone, with too few responses before to compare': beside(
        slowed(() => false).slice(10),
        loudLater,
      ),
      'slow only while the other one sent, which may be chance': beside(
        [...slowed((at) => at < 20_000).slice(0, 15), ...answeredSlowly(8, 0)],
        loudLater,
      ),
      'rate-limited after a fall by as many requests as the loud key sent with a count of its own': {
        ...beside(
          [
            { at: 0, left: 59 },
            { at: 500, left: 40 },
            limited(510),
            { at: 60_600, left: 59, resets: 120_000 },
          ],
          [...countdown(20, 59, { at: 100 }, 5), limited(300, { step: 1, wait: '1' })],
        ),
        limits: { ...LIMITS, perMinute: 60 },
      },
      'rate-limited for what both sent, as the loud key shows in its Remaining': beside(
        [{ at: 0, left: 9 }, { at: 500, left: 5 }, limited(1300)],
        [
          ...countdown(3, 8, { at: 100 }),
          ...countdown(5, 4, { at: 600, step: 1 }),
          limited(1200, { step: 1 }),
        ],
      ),
      'shut out, where another client may have caused a ban': beside([
        ...countdown(3, 9, {}, 400),
        { at: 3000, status: 403 },
      ]),
      'shut out, and accepted only after the other one was rate-limited': {
        ...beside([{ at: 1000 }, { at: 1200 }, { at: 3000, status: 403 }]),
        exclusive: true,
      },
      'sent late by this machine': beside(sentLate, loudLater),
      'rate-limited for what both sent, key beside disposable': bothLimited('key', 'disposable'),
      'the same, shared with others': oneCount(8, 51),
      'one count of both, which may be one account': {
        ...oneCount(8, 51, ['key', 'disposable']),
        exclusive: true,
      },
      'one count of both but for one request, before which Remaining did not fall': {
        ...{ ...oneCount(8, 51), exclusive: true },
        samples: [
          ...oneCount(8, 51).samples.filter(({ at }) => at < 3000),
          { key: 'other', step: 1, at: 1200, left: 51 },
          { key: 'other', step: 1, at: 3000, left: 19 },
        ],
      },
      'one count of both, of which more flowed back than may': {
        ...{ ...oneCount(8, 51), exclusive: true },
        samples: oneCount(8, 51).samples.map((one) => (one.at === 3000 ? { ...one, left: 5 } : one)),
      },
      'rate-limited after a request that showed what the loud one had used, and nothing beyond': {
        ...beside(
          [{ at: 850, left: 1 }, limited(1300)],
          [...countdown(8, 9), { at: 900, left: 0, step: 1 }, limited(1000, { step: 1 })],
        ),
        exclusive: true,
      },
      'nine requests of another key': { ...oneCount(6, 9), exclusive: true },
      'too few before': { ...oneCount(5, 10), exclusive: true },
      'twelve keys limited with another caller, which may be chance': limitedWith('key', 12),
      'thirteen keys, each over a new connection': limitedWith('key', 13, [], { opened: true }),
      'thirteen keys, one request later': limitedWith('key', 13, later),
      'thirteen keys, one request after the first that followed at once': limitedWith('key', 13, [
        { at: 6010, left: 57 },
      ]),
      'thirteen keys of one account': limitedWith('fleet-14', 13),
    },
  },
});
