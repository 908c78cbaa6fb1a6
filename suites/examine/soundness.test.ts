import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceWire } from '../../proof/virtual/service-wire.ts';
import { VIRTUAL_START, VirtualClock } from '../../proof/virtual/virtual-clock.ts';
import { loadLaw } from '../../spec/law.ts';
import { judge } from '../judging/judge.ts';
import type { JournalLine } from '../model/journal.ts';
import type { RunRecord } from '../model/record.ts';
import { probes } from '../probes/index.ts';
import type { Means } from '../probes/probe.ts';
import { modelKinds } from '../testing/limiters.ts';
import type { Manner } from '../testing/model-service.ts';
import { modelService } from '../testing/model-service.ts';
import { examine } from './examine.ts';
import { planExamination } from './plan.ts';

const law = await loadLaw();
const keys = { key: 'key-of-the-model-1', other: 'key-of-the-model-2', sacrificial: 'key-of-the-model-3' };

/** The longest delays of a network each way, milliseconds, and where in the minute the run begins. */
interface Case {
  readonly manner: Manner;
  readonly latency: number;
  readonly seed: number;
  readonly start: number;
  /** Another client of the other caller's key has used it up. */
  readonly busy: boolean;
  readonly sacrifice: boolean;
}

const oneOf = <const T extends readonly unknown[]>(...values: T): fc.Arbitrary<T[number]> =>
  fc.constantFrom(...values);

const manners: fc.Arbitrary<Manner> = oneOf([60, 60_000], [60, 60_000], [300, 60_000], [5, 2000]).chain(
  ([limit, windowMs]) =>
    fc.record({
      quota: fc.constant({ limit, windowMs }),
      shape: fc.record({
        kind: oneOf(...modelKinds),
        phase: fc.integer({ min: 0, max: windowMs }),
        chunk: fc.integer({ min: 1, max: limit }),
      }),
      rejected: oneOf('count', 'are free', 'are refunded'),
      reset: oneOf('next', 'full'),
      rounding: oneOf('floor', 'ceil', 'floor and one'),
      retryAfter: oneOf('exact', 'exact', 'a second more', 'until Reset', 'a whole window', 'date'),
      describes: oneOf('minute', 'minute', 'minute', 'day', 'day, and the minute on a 429'),
      strangers: oneOf('have a limit of 30', 'see an untouched limit', 'are counted apart'),
      named: oneOf('absent', 'absent without headers', 'there'),
      date: oneOf('exact', 'exact', 'hours away', 'absent'),
      headerCase: oneOf('usual', 'lower'),
      description: oneOf('omitted', 'empty', 'null'),
    }),
);

const cases: fc.Arbitrary<Case> = fc.record({
  manner: manners,
  latency: oneOf(0.3, 5, 60, 200, 1200),
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  start: fc.integer({ min: 0, max: 60_000 }),
  busy: fc.boolean(),
  sacrifice: fc.boolean(),
});

/** A linear congruential generator: delays that are the same whenever a case is run again. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

async function examined({ manner, latency, seed, start, busy, sacrifice }: Case): Promise<RunRecord> {
  const clock = new VirtualClock(VIRTUAL_START + start);
  const random = seeded(seed);
  const leg = () => random() * latency;
  const answer = modelService(manner, Object.values(keys), () => clock.now().wall);
  const { quota } = manner;
  const usual = { method: 'GET', target: '/v1/categories', body: null } as const;
  if (busy) {
    for (let i = 0; i < quota.limit; i += 1)
      answer({ ...usual, headers: [['Authorization', `Bearer ${keys.other}`]] });
  }
  const limits = {
    perMinute: quota.limit,
    perDay: 1000,
    minuteSeconds: quota.windowMs / 1000,
    daySeconds: 86_400,
  };
  const means: Means = {
    tag: 'model1',
    plan: 'free',
    limits,
    otherKey: true,
    spentKey: false,
    sacrificialKey: sacrifice,
    openapi: undefined,
    furtherPlans: [],
  };
  const head = {
    suite: { name: 'petstore-conformance', version: '0.0.0' },
    spec: { version: law.version, digest: law.digest },
    target: { baseUrl: 'http://127.0.0.1:8080/v1', plan: 'free' },
    furtherPlans: {},
  };
  const lines: JournalLine[] = [];
  const options = {
    wire: new ServiceWire(answer, clock, { there: leg, back: leg }),
    clock,
    journal: { append: (line: JournalLine) => void lines.push(line) },
    keys,
    limits,
    basePath: '/v1',
  };
  await clock.run(examine(planExamination(probes, means), head, options));
  return judge({ lines, damage: [] }, law, { strict: false });
}

const accusations = ({ requirements }: RunRecord): readonly string[] =>
  requirements.filter(({ verdict }) => verdict === 'fail').map(({ id, because }) => `${id}: ${because}`);

const usual: Manner = {
  quota: { limit: 60, windowMs: 60_000 },
  shape: { kind: 'aligned window', phase: 0, chunk: 1 },
  rejected: 'count',
  reset: 'next',
  rounding: 'floor',
  retryAfter: 'exact',
  describes: 'minute',
  strangers: 'have a limit of 30',
  named: 'absent',
  date: 'exact',
  headerCase: 'usual',
  description: 'omitted',
};
const pieces = (chunk: number, phase = 0): Pick<Manner, 'shape'> => ({
  shape: { kind: 'chunked bucket', phase, chunk },
});
const quick = { latency: 0.3, seed: 1, start: 0, busy: false, sacrifice: false };

/** Services that were accused once, and of what. */
const wronged: Readonly<Record<string, Case>> = {
  'LIMIT-1, because refused creations are given back': {
    ...quick,
    manner: { ...usual, rejected: 'are refunded' },
  },
  'LIMIT-1, because what flows back comes in pieces': {
    ...quick,
    manner: { ...usual, ...pieces(1), rejected: 'are refunded' },
    latency: 200,
    seed: 3,
    start: 35_415,
  },
  'LIMIT-2, because a refill in one piece was taken for a new window': {
    ...quick,
    manner: { ...usual, ...pieces(198), quota: { limit: 300, windowMs: 60_000 } },
    latency: 1200,
    seed: 30_832_021,
  },
  'LIMIT-4, because a bucket announced each of its refills': {
    ...quick,
    manner: {
      ...usual,
      ...pieces(56, 59_593),
      quota: { limit: 300, windowMs: 60_000 },
      retryAfter: 'a whole window',
    },
    latency: 5,
    start: 57_957,
    busy: true,
    sacrifice: true,
  },
  'LIMIT-4, because a bucket announced when it is full': {
    ...quick,
    manner: { ...usual, ...pieces(15, 2000), reset: 'full', rounding: 'ceil', retryAfter: 'until Reset' },
  },
};

for (const [what, one] of Object.entries(wronged)) {
  test(`nobody is accused of ${what}`, async () => {
    assert.deepEqual(accusations(await examined(one)), []);
  });
}

test('no service that conforms is ever accused, whatever its algorithm, its manners and the network', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (one) => {
      const found = accusations(await examined(one));
      assert.deepEqual(found, [], found.join('\n'));
    }),
    { numRuns: Number(process.env['SOUNDNESS_RUNS'] ?? 60), includeErrorInReport: true },
  );
});
