import fc from 'fast-check';
import { modelKinds } from '../testing/suites/limiters.ts';
import type { Manner } from '../testing/suites/model-service.ts';
import { modelService } from '../testing/suites/model-service.ts';
import { seeded } from '../testing/suites/seeded.ts';
import type { VirtualResult } from './record-virtual-run.ts';
import { recordVirtualRun } from './record-virtual-run.ts';
import { ServiceTime } from './service-time.ts';
import type { Network } from './service-wire.ts';
import { VIRTUAL_START, VirtualClock } from './virtual-clock.ts';

/** A service of the third witness, and under which circumstances it is examined. */
export interface ModelRun {
  readonly manner: Manner;
  /** The longest delay of the network each way, in milliseconds. */
  readonly latency: number;
  readonly seed: number;
  /** When the run begins, in milliseconds after `VIRTUAL_START`. */
  readonly start: number;
  /** Another client of the other caller's key has used it up. */
  readonly busy: boolean;
  readonly withDisposableKey: boolean;
  /** What the network loses; nothing unless said otherwise. */
  readonly loss?: Network['loss'];
  /** When somebody else sends a request with the examined key, in milliseconds since the beginning, ascending. */
  readonly foreign?: readonly number[];
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
      unauthenticated: oneOf('have a limit of 30', 'see an untouched limit', 'are counted apart'),
      named: oneOf('absent', 'absent without headers', 'there'),
      date: oneOf('exact', 'exact', 'hours away', 'absent'),
      headerCase: oneOf('usual', 'lower'),
      description: oneOf('omitted', 'empty', 'null'),
    }),
);

/** Every lawful service of the third witness, over every network from a fast one to a slow one. */
export const modelRuns: fc.Arbitrary<ModelRun> = fc.record({
  manner: manners,
  latency: oneOf(0.3, 5, 60, 200, 1200),
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  start: fc.integer({ min: 0, max: 60_000 }),
  busy: fc.boolean(),
  withDisposableKey: fc.boolean(),
});

const keys = { key: 'key-of-the-model-1', other: 'key-of-the-model-2', disposable: 'key-of-the-model-3' };

/** Examines a service of the third witness in virtual time. */
export async function modelRun(run: ModelRun): Promise<VirtualResult> {
  const { manner, latency, seed, start, busy, withDisposableKey, loss, foreign = [] } = run;
  const { limit, windowMs } = manner.quota;
  const clock = new VirtualClock(VIRTUAL_START + start);
  const time = new ServiceTime(clock);
  const random = seeded(seed);
  const leg = () => random() * latency;
  const answer = modelService(manner, Object.values(keys), () => time.now());
  const usual = { method: 'GET', target: '/v1/categories', body: null } as const;
  if (busy) {
    for (let i = 0; i < limit; i += 1)
      answer({ ...usual, headers: [['Authorization', `Bearer ${keys.other}`]] });
  }
  return recordVirtualRun({
    answer: time.beside(answer, keys.key, foreign),
    clock,
    network: { there: leg, back: leg, ...(loss === undefined ? {} : { loss }) },
    keys,
    inputs: {
      tag: 'model1',
      plan: 'free',
      limits: { perMinute: limit, perDay: 1000, minuteSeconds: windowMs / 1000, daySeconds: 86_400 },
      otherKey: true,
      exhaustedKey: false,
      disposableKey: withDisposableKey,
      exclusiveKey: false,
      openapi: undefined,
      furtherPlans: [],
    },
  });
}
