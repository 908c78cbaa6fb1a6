import fc from 'fast-check';
import { modelKinds, seeded } from '../testing/suites/limiters.ts';
import type { ModelBehaviour } from '../testing/suites/model-service.ts';
import { modelService } from '../testing/suites/model-service.ts';
import { requestOfOtherClient, ServiceTime, VIRTUAL_START, VirtualClock } from './service-time.ts';
import type { Network } from './service-wire.ts';
import type { VirtualResult } from './virtual-run.ts';
import { recordVirtualRun, runInputs } from './virtual-run.ts';

/** A model service, and the circumstances of a run against it. */
export interface ModelRun {
  readonly behaviour: ModelBehaviour;
  /** The longest delay of the network each way, in milliseconds. */
  readonly latency: number;
  readonly seed: number;
  /** When the run begins, in milliseconds after `VIRTUAL_START`. */
  readonly start: number;
  /** Whether another client has exhausted the quota of the other key before the run. */
  readonly isOtherKeyExhausted: boolean;
  readonly withDisposableKey: boolean;
  /** Whether three windows are tested. */
  readonly thorough?: boolean;
  /** What the network loses; by default nothing. */
  readonly loss?: Network['loss'];
  /** When another client sends a request with the tested key, in milliseconds since the beginning, ascending. */
  readonly otherClientTimes?: readonly number[];
}

const oneOf = <const T extends readonly unknown[]>(...values: T): fc.Arbitrary<T[number]> =>
  fc.constantFrom(...values);

const behaviours: fc.Arbitrary<ModelBehaviour> = oneOf(
  [60, 60_000],
  [60, 60_000],
  [300, 60_000],
  [5, 2000],
).chain(([limit, windowMs]) =>
  fc.record({
    quota: fc.constant({ limit, windowMs }),
    shape: fc.record({
      kind: oneOf(...modelKinds),
      phase: fc.integer({ min: 0, max: windowMs }),
      chunk: fc.integer({ min: 1, max: limit }),
    }),
    rejected: oneOf('counted', 'not counted', 'refunded'),
    reset: oneOf('next', 'full'),
    rounding: oneOf('floor', 'ceil', 'floor and one'),
    retryAfter: oneOf('exact', 'exact', 'one second more', 'until Reset', 'one window', 'date'),
    describedLimit: oneOf('minute', 'minute', 'minute', 'day', 'day, and the minute on a 429'),
    unauthenticated: oneOf('limited to 30', 'full quota', 'counted separately'),
    optionalOperations: oneOf('absent', 'absent without headers', 'present'),
    date: oneOf('exact', 'exact', 'hours away', 'absent'),
    headerCase: oneOf('usual', 'lower'),
    description: oneOf('omitted', 'empty', 'null'),
  }),
);

/** Random model services, over networks with delays from 0.3 ms to 1.2 s. */
export const modelRuns: fc.Arbitrary<ModelRun> = fc.record({
  behaviour: behaviours,
  latency: oneOf(0.3, 5, 60, 200, 1200),
  seed: fc.integer({ min: 1, max: 2 ** 31 }),
  start: fc.integer({ min: 0, max: 60_000 }),
  isOtherKeyExhausted: fc.boolean(),
  withDisposableKey: fc.boolean(),
  thorough: fc.boolean(),
});

const keys = { key: 'key-of-the-model-1', other: 'key-of-the-model-2', disposable: 'key-of-the-model-3' };

/** Runs the suites against a model service in virtual time. */
export async function runAgainstModel(run: ModelRun): Promise<VirtualResult> {
  const { behaviour, latency, seed, start, loss, otherClientTimes = [] } = run;
  const { limit, windowMs } = behaviour.quota;
  const clock = new VirtualClock(VIRTUAL_START + start);
  const time = new ServiceTime(clock);
  const random = seeded(seed);
  const oneWay = () => random() * latency;
  const answer = modelService(behaviour, Object.values(keys), () => time.now());
  if (run.isOtherKeyExhausted) for (let i = 0; i < limit; i += 1) answer(requestOfOtherClient(keys.other));
  return recordVirtualRun({
    answer: time.withOtherClient(answer, keys.key, otherClientTimes),
    clock,
    network: { there: oneWay, back: oneWay, ...(loss === undefined ? {} : { loss }) },
    keys,
    inputs: runInputs({
      tag: 'model1',
      limits: { perMinute: limit, perDay: 1000, minuteSeconds: windowMs / 1000, daySeconds: 86_400 },
      disposableKey: run.withDisposableKey,
      thorough: run.thorough === true,
    }),
  });
}
