import { paced, preflight, testRows } from '../../../evaluation/testing/load/rows.ts';
import type { StagedRun, StagedSample } from '../../../evaluation/testing/load/runs.ts';
import { LIMITS } from '../../../evaluation/testing/load/runs.ts';

type Took = (at: number) => Partial<StagedSample>;

/** This many scheduled requests, one in every half second, as a step; `more` describes each by its number. */
const sent = (requests: number, step: number, start: number, more: Took): readonly StagedSample[] =>
  Array.from({ length: requests }, (_, i) => {
    const at = start + (i + 1) * 500;
    return { step, planned: at, at, left: 5, ...more(i) };
  });

/** The time of step `from` in a run of steps of 20 requests. */
const startOf = (step: number): number => step * 10_000;

/** The same with a second key that is answered alike. */
const ofTwoKeys = ({ scenarios, samples, ...more }: StagedRun): StagedRun => ({
  ...more,
  scenarios: scenarios.flatMap((one) => [one, ['other', one[1]] as const]),
  samples: [...samples, ...samples.map((one) => ({ ...one, key: 'other' as const }))],
});

const soak = (requests: number, more: Took): StagedRun => ({
  scenarios: [['key', [paced(requests)]]],
  samples: sent(requests, 0, 0, more),
});

/** As `sent` sends twenty. */
const STEP = paced(20, 10_000);

/** Three steps of twenty requests; `more` describes each by step and number. */
const steps = (more: (step: number, i: number) => Partial<StagedSample>): StagedRun => ({
  scenarios: [['key', [STEP, STEP, STEP]]],
  samples: [0, 1, 2].flatMap((step) => sent(20, step, startOf(step), (i) => more(step, i))),
});

/** The same without a response from a request on, or as in `lost`; two more requests are the last to be recorded. */
const stops = (
  run: StagedRun,
  after: number,
  detail: string,
  lost: Partial<StagedSample> = { silent: true },
): StagedRun => ({
  ...run,
  samples: run.samples.map((one, i) => (i < after ? one : { ...one, ...lost })).slice(0, after + 3),
  stopped: [{ kind: 'stopped', key: 'key', at: 0, because: 'unreachable', detail }],
});

const UNREACHABLE = { malformed: 'dial tcp: lookup target: no such host' };

/** Twenty requests or as many as stated, a burst of ten, and as many more; `took` is for those after it. */
const spike = (
  took: (i: number) => number,
  {
    before = () => 10,
    lateMs = 0,
    burst = 400,
    each = 20,
  }: { before?: (i: number) => number; lateMs?: number; burst?: number; each?: number } = {},
): StagedRun => ({
  scenarios: [
    ['key', [preflight, paced(each), { kind: 'burst', requests: 10, concurrency: 10 }, paced(each)]],
  ],
  samples: [
    { at: 0 },
    ...sent(each, 1, 0, (i) => ({ took: before(i) })),
    ...Array.from({ length: 10 }, () => ({ step: 2, at: 10_100, took: burst })),
    ...sent(each, 3, 10_500, (i) => ({ took: took(i), at: 10_500 + (i + 1) * 500 + lateMs })),
  ],
});

testRows('long-runs', {
  STEADY: {
    pass: {
      'as fast as ever': soak(200, () => ({})),
      'an error at once, and as many later as chance may bring': soak(200, (i) =>
        i === 0 || (i > 100 && i % 7 === 0) ? { status: 500 } : {},
      ),
      'a little slower': soak(200, (i) => ({ took: 10 + i })),
      'a counter that differs by two and a twentieth of the limit': {
        ...soak(1200, (i) => ({ left: i < 600 ? 30 : 25 })),
        limits: { ...LIMITS, perMinute: 60 },
      },
      'a counter that differs, of too few windows': {
        ...soak(620, (i) => ({ left: i < 480 ? 8 : 0 })),
        exclusive: true,
      },
      'a counter that differs in a part of a window at the end': {
        ...soak(1020, (i) => ({ left: i < 1000 ? 8 : 0 })),
        exclusive: true,
      },
    },
    fail: {
      'ever slower': soak(200, (i) => ({ took: 10 + 3 * i })),
      'ever slower, by less than a difference that matters from the first quarter to the last': soak(
        200,
        (i) => ({ took: Math.round(10 + 1.5 * i) }),
      ),
      'slow at the end': soak(200, (i) => ({ took: i < 160 ? 10 : 900 })),
      'connections that are closed from a request on': stops(
        soak(200, () => ({})),
        150,
        'EOF',
      ),
      'slow at the end, of two keys': ofTwoKeys(soak(100, (i) => ({ took: i < 80 ? 10 : 900 }))),
      'slow and with errors at the end': soak(200, (i) =>
        i > 150 && i % 3 === 0 ? { status: 500 } : { took: i < 160 ? 10 : 900 },
      ),
      'errors at the end': soak(200, (i) => (i > 150 && i % 3 === 0 ? { status: 500 } : {})),
    },
    inconclusive: {
      'connections that are closed from the first request on': stops(
        soak(200, () => ({})),
        0,
        'EOF',
      ),
      'ever later, and slower': soak(200, (i) => ({ at: i * 500 + 500 + 4 * i, took: 10 + 3 * i })),
      'a little later each time, and a little slower': soak(200, (i) => ({
        at: i * 501 + 500,
        took: 10 + 0.6 * i,
      })),
      'another client': soak(200, (i) => ({ left: i === 0 ? 9 : 3 })),
      'half of the responses slow at the end': soak(80, (i) => ({
        took: i % 20 < (i >= 60 ? 11 : 4) ? 900 : 10,
      })),
      'too few, and lost in the second half': soak(40, (i) => (i < 20 ? {} : { silent: true })),
      'lost at the end': soak(200, (i) => (i > 150 && i % 3 === 0 ? { silent: true } : {})),
      'a counter that drifts': soak(1200, (i) => ({ left: Math.max(0, 8 - Math.floor(i / 200)) })),
      'a counter that drifts by three, in eight windows': soak(962, (i) => ({ left: i < 480 ? 8 : 5 })),
    },
  },
  HOLDS: {
    pass: {
      'every rate': steps(() => ({})),
      'every rate, with errors of less than one in a hundred requests': {
        scenarios: [['key', [STEP, paced(400, 200_000)]]],
        samples: [
          ...sent(20, 0, 0, () => ({})),
          ...sent(400, 1, startOf(1), (i) => (i > 0 && i < 4 ? { status: 503 } : {})),
        ],
      },
      'every rate, slowly, and slower by less than a half at the highest': steps((step) => ({
        took: 1000 + 200 * step,
      })),
      'slow before the highest': steps((step) => ({ took: step === 1 ? 900 : 10 })),
    },
    fail: {
      'slow at the highest': steps((step) => ({ took: step === 2 ? 900 : 10 })),
      'slow from the second rate on, after as many responses as a comparison needs': {
        scenarios: [['key', [paced(10, 5000), paced(30, 15_000), STEP]]],
        samples: [
          ...sent(10, 0, 0, () => ({})),
          ...sent(30, 1, 5000, () => ({ took: 900 })),
          ...sent(20, 2, startOf(2), () => ({ took: 900 })),
        ],
      },
      'errors at the highest': steps((step, i) => (step === 2 && i < 5 ? { status: 503 } : {})),
      'no response any more': stops(
        steps(() => ({})),
        45,
        'request timeout',
      ),
      'errors, after responses that may be slower by chance': steps((step, i) =>
        step === 2 && i < 5 ? { status: 503 } : { took: i < (step === 1 ? 11 : 4) ? 900 : 10 },
      ),
      'errors, before the network leads to the target no more': stops(
        steps((step, i) => (step === 1 && i < 5 ? { status: 503 } : {})),
        45,
        'no such host',
        UNREACHABLE,
      ),
      'slow at the highest, of which ten responses show it': {
        scenarios: [['key', [STEP, STEP, paced(10, 5000)]]],
        samples: steps((step) => ({ took: step === 2 ? 900 : 10 })).samples.slice(0, 50),
      },
      'no response any more, and no connection that was closed': stops(
        steps(() => ({})),
        45,
        'request timeout',
        { malformed: 'request timeout' },
      ),
    },
    inconclusive: {
      'every rate, of which one of two keys sent the lowest alone': {
        ...ofTwoKeys(steps(() => ({}))),
        samples: ofTwoKeys(steps(() => ({}))).samples.filter(
          ({ key, step }) => key !== 'other' || step === 0,
        ),
        stopped: [{ kind: 'stopped', key: 'other', at: 0, because: 'script error', detail: 'TypeError' }],
      },
      'every rate, the highest with too few responses to compare': {
        scenarios: [['key', [STEP, STEP, paced(9, 4500)]]],
        samples: steps(() => ({})).samples.slice(0, 49),
      },
      'half of the responses slow at the highest': steps((step, i) => ({
        took: i < (step === 2 ? 11 : 4) ? 900 : 10,
      })),
      'no response from the last request of the lowest rate on': stops(
        {
          scenarios: [['key', [paced(200, 100_000), STEP]]],
          samples: [...sent(200, 0, 0, () => ({})), ...sent(20, 1, 100_000, () => ({}))],
        },
        199,
        'request timeout',
      ),
      'a network that leads to the target no more': stops(
        steps(() => ({})),
        45,
        'no such host',
        UNREACHABLE,
      ),
      'late and slow at the highest': steps((step, i) =>
        step === 2 ? { at: startOf(2) + (i + 1) * 500 + 600, took: 900 } : {},
      ),
      'late at the highest': steps((step, i) => (step === 2 ? { at: startOf(2) + (i + 1) * 500 + 600 } : {})),
    },
  },
  RECOVERS: {
    pass: {
      'at once': spike(() => 10),
      soon: spike((i) => (i < 6 ? 900 : 10)),
      'at once, and slow again twice at the very end': spike((i) => (i < 18 ? 10 : 900)),
      'soon, and slow again at the very end': spike((i) => (i < 17 ? 10 : 900)),
    },
    fail: {
      'no response any more': stops(
        spike(() => 10),
        33,
        'request timeout',
      ),
      never: spike(() => 900),
      'never, of as many responses as a comparison needs': spike(() => 900, { each: 10 }),
      'half, after a burst that was slow beyond doubt': spike((i) => (i < 16 ? 900 : 10), {
        before: (i) => (i < 4 ? 900 : 10),
        burst: 3000,
      }),
    },
    inconclusive: {
      'late, and slow': spike(() => 900, { lateMs: 600 }),
      'a network that leads to the target no more': stops(
        spike(() => 10),
        33,
        'no such host',
        UNREACHABLE,
      ),
      'without a burst': soak(40, () => ({})),
    },
  },
});
