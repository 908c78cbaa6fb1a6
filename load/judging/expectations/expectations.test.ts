import {
  burst,
  bursts,
  exhausted,
  limited,
  paced,
  polite,
  polites,
  preflight,
  scheduled,
  testRows,
  waitOut,
} from '../../../evaluation/testing/load/rows.ts';
import type { StagedRun, StagedSample } from '../../../evaluation/testing/load/runs.ts';
import { countdown } from '../../../evaluation/testing/load/runs.ts';

/** A creation, and the id that it received where one is known. */
const created = (at: number, id?: string): StagedSample => ({
  at,
  status: 201,
  operation: 'create',
  body: id === undefined ? { kind: 'category' } : { kind: 'category', id },
});

/** So many scheduled requests, of which the first is late. */
const withOneLate = (requests: number): StagedRun => ({
  ...scheduled(requests),
  samples: [...scheduled(1, 300).samples, ...scheduled(requests).samples.slice(1)],
});

testRows('sending', {
  SENT: {
    pass: {
      'all of it': scheduled(20),
      'one of a hundred late': withOneLate(100),
    },
    inconclusive: {
      'one of 99 late': withOneLate(99),
      nothing: { ...scheduled(3), samples: [] },
      interrupted: { ...scheduled(3), ended: { how: 'interrupted', because: 'Ctrl-C.' } },
      'an exception': {
        ...scheduled(3),
        stopped: [{ kind: 'stopped', key: 'key', at: 0, because: 'script error', detail: 'TypeError' }],
      },
    },
  },
  CONTRACT: {
    pass: {
      'as specified': bursts(exhausted),
      'bodies read': bursts([
        { at: 0, body: { kind: 'list' } },
        created(10, '1'),
        created(20, '2'),
        created(30),
        created(40),
        ...countdown(3, 5, { at: 100 }),
      ]),
      'a name that is rejected': bursts([
        { at: 0 },
        ...[400, 409, 422].map((status) => ({ at: status, status, operation: 'create' as const })),
      ]),
    },
    fail: {
      'another status, although the clock of the target was set': bursts([
        ...exhausted.map((one, at) => ({ ...one, aheadMs: at < 5 ? 0 : 20_000 })),
        { at: 2000, status: 404, aheadMs: 20_000 },
      ]),
      'another status': bursts([...exhausted, { at: 2000, status: 404 }]),
      'a header missing': bursts([...exhausted, { at: 2000, left: null }]),
      'another Limit': bursts([...exhausted, { at: 2000, limit: 11 }]),
      'another body': bursts([
        { at: 0, body: { kind: 'list' } },
        { at: 10, body: { kind: 'wrong', problem: 'not JSON', excerpt: '<html>' } },
      ]),
      'no body at all': bursts([{ at: 0, body: { kind: 'wrong', problem: 'not JSON', excerpt: '' } }]),
    },
    inconclusive: {
      'the id of another category': bursts([{ at: 0 }, created(10, '7'), created(20, '8'), created(30, '7')]),
      'a request that did not arrive in time': bursts([...exhausted, { at: 2000, status: 408, left: null }]),
      'a ban': bursts([...exhausted, { at: 2000, status: 403 }]),
      'another caller with another plan': {
        scenarios: [['other', [burst(1)]]],
        samples: [{ key: 'other', at: 0, limit: 11 }],
        stopped: [{ kind: 'stopped', key: 'other', at: 0, because: 'wrong plan', detail: 'Limit is 11' }],
      },
      'a disposable key with another plan': {
        scenarios: [['disposable', [burst(1)]]],
        samples: [{ key: 'disposable', at: 0, limit: 11 }],
        stopped: [
          { kind: 'stopped', key: 'disposable', at: 0, because: 'wrong plan', detail: 'Limit is 11' },
        ],
      },
      'a target that is another one': {
        ...bursts([{ at: 0, status: 404 }]),
        stopped: [
          { kind: 'stopped', key: 'key', at: 0, because: 'wrong target', detail: 'request 1 returned 404' },
        ],
      },
      'a disposable key that was banned before': {
        scenarios: [['disposable', [burst(3)]]],
        samples: [0, 100, 200].map((at) => ({ key: 'disposable', at, status: 403 })),
      },
    },
  },
  'NO-5XX': {
    pass: {
      'none, of one': bursts([{ at: 0 }]),
    },
    fail: {
      one: bursts([...exhausted, { at: 2000, status: 502 }]),
      'one with the lowest status': bursts([...exhausted, { at: 2000, status: 500 }]),
    },
    inconclusive: {
      'a response that k6 cannot read': bursts([
        ...exhausted,
        { at: 2000, malformed: 'too many transfer encodings: ["chunked" "chunked"]' },
      ]),
      'no response to the first request': bursts([{ at: 0, silent: true }, ...countdown(3, 9, { at: 100 })]),
    },
  },
  LATENCY: {
    pass: {
      'below the threshold': { ...scheduled(20), latencyThresholdMs: 50 },
      'as long as the threshold, in few responses': { ...scheduled(20), latencyThresholdMs: 10 },
      'as long as the threshold': { ...scheduled(100), latencyThresholdMs: 10 },
    },
    fail: {
      'above it': { ...scheduled(100), latencyThresholdMs: 5 },
    },
    inconclusive: {
      'a preflight request alone': {
        scenarios: [['key', [preflight]]],
        samples: [{ at: 0 }],
        latencyThresholdMs: 50,
      },
      'above it for being late': { ...scheduled(100, 200), latencyThresholdMs: 50 },
    },
  },
});

/** A burst, then two requests, each after a wait. */
const waits = (samples: readonly StagedSample[]): StagedRun => ({
  scenarios: [['key', [preflight, burst(10), waitOut, burst(1), waitOut, burst(1)]]],
  samples,
});

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

/** This many accepted requests, 7 s apart, and `more` after them. */
const days = (accepted: number, more: readonly StagedSample[] = []): StagedRun => ({
  scenarios: [['key', [paced(accepted + more.length)]]],
  samples: [...countdown(accepted, 9, {}, 7000), ...more],
});

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
