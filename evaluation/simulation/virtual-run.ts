import type { AlgorithmName, BanPolicy, Seams } from '../../reference-server/index.ts';
import { createService } from '../../reference-server/index.ts';
import type { Plans } from '../../spec/plans.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import type { RunInputs } from '../../suites/probes/probe.ts';
import type { Keys } from '../../suites/wire/keyring.ts';
import type { VirtualResult } from './record-virtual-run.ts';
import { recordVirtualRun } from './record-virtual-run.ts';
import { ServiceTime } from './service-time.ts';
import type { Network } from './service-wire.ts';
import { VirtualClock } from './virtual-clock.ts';

/** What to examine in virtual time; the real plans and a fast link unless said otherwise. */
export interface VirtualRun {
  readonly plans?: Plans;
  readonly plan?: string;
  readonly algorithm?: AlgorithmName;
  readonly fault?: Seams;
  readonly ban?: BanPolicy;
  /** Also examine with a key that may be lost. */
  readonly withDisposableKey?: boolean;
  /** Examine without the key of another caller. */
  readonly alone?: boolean;
  /** State that no other client uses the examined key. */
  readonly exclusiveKey?: boolean;
  /** How names are written; as the run writes them by itself unless said otherwise. */
  readonly namePattern?: string;
  readonly network?: Network;
  readonly strict?: boolean;
  /** Milliseconds since the Unix epoch at which the run begins. */
  readonly start?: number;
  /** How far the service's clock is ahead of the examining machine's, in milliseconds. */
  readonly clockOffset?: number;
  /** When somebody else sends a request with the examined key, in milliseconds since the beginning, ascending. */
  readonly foreign?: readonly number[];
}

/** Examines the reference server's core in virtual time and judges what was recorded. */
export async function virtualRun(run: VirtualRun = {}): Promise<VirtualResult> {
  const clock = new VirtualClock(run.start);
  const plans = run.plans ?? loadPlans();
  const time = new ServiceTime(clock, run.clockOffset);
  const { fault, algorithm, ban, network, strict, foreign = [] } = run;
  const service = createService({
    plans,
    clock: time,
    ...(fault === undefined ? {} : { seams: fault }),
    ...(algorithm === undefined ? {} : { algorithm }),
    ...(ban === undefined ? {} : { ban }),
  });
  const given = inputsOf(run, plans, service.keys);
  return recordVirtualRun({
    answer: time.beside(service.handle, given.keys.key, foreign),
    clock,
    ...given,
    ...(network === undefined ? {} : { network }),
    ...(strict === undefined ? {} : { strict }),
  });
}

type ServiceKeys = ReturnType<typeof createService>['keys'];

function inputsOf(run: VirtualRun, plans: Plans, all: ServiceKeys) {
  const name = run.plan ?? 'free';
  const others = ['free', 'pro', 'business'].filter((one) => one !== name);
  const byPlan: Readonly<Record<string, readonly string[]>> = { ...all };
  const keys: Keys = {
    key: byPlan[name]?.[0] ?? '',
    ...(run.alone === true ? {} : { other: (name === 'free' ? all.free[1] : all.free[0]) ?? '' }),
    exhausted: all.exhausted[0] ?? '',
    ...(run.withDisposableKey === true ? { disposable: byPlan[name]?.[1] ?? '' } : {}),
    plans: Object.fromEntries(others.map((one) => [one, byPlan[one]?.[0] ?? ''])),
  };
  const inputs: RunInputs = {
    tag: 'virtual1',
    plan: name,
    limits: limitsOf(plans, name),
    otherKey: run.alone !== true,
    exhaustedKey: true,
    disposableKey: run.withDisposableKey === true,
    exclusiveKey: run.exclusiveKey === true,
    openapi: undefined,
    furtherPlans: others,
    ...(run.namePattern === undefined ? {} : { namePattern: run.namePattern }),
  };
  return { keys, inputs, furtherPlans: Object.fromEntries(others.map((one) => [one, limitsOf(plans, one)])) };
}
