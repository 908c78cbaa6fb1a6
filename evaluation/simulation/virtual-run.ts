import type { Selection } from '../../kernel/findings/tested.ts';
import type { BanPolicy } from '../../reference-server/limiters/ban.ts';
import type { AlgorithmName } from '../../reference-server/limiters/index.ts';
import type { Seams } from '../../reference-server/seams.ts';
import { createService } from '../../reference-server/service/service.ts';
import type { Plans } from '../../spec/plans.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import type { RunInputs } from '../../suites/service/probes/probe.ts';
import type { Keys } from '../../suites/service/wire/keyring.ts';
import type { VirtualResult } from './record-virtual-run.ts';
import { recordVirtualRun } from './record-virtual-run.ts';
import type { ClockSet } from './service-time.ts';
import { ServiceTime } from './service-time.ts';
import type { Network } from './service-wire.ts';
import type { Suspension } from './virtual-clock.ts';
import { VirtualClock } from './virtual-clock.ts';

/** The circumstances of a run in virtual time; by default the plans of the specification and a fast link. */
export interface VirtualRun {
  readonly plans?: Plans;
  readonly plan?: string;
  readonly algorithm?: AlgorithmName;
  readonly fault?: Seams;
  readonly ban?: BanPolicy;
  /** Run with a disposable key as well. */
  readonly withDisposableKey?: boolean;
  /** Run without the key of another caller. */
  readonly withoutOtherKey?: boolean;
  /** Run without a key whose daily quota is exhausted. */
  readonly withoutExhaustedKey?: boolean;
  /** State that no other client uses the tested key. */
  readonly exclusiveKey?: boolean;
  /** Test two further windows. */
  readonly thorough?: boolean;
  /** Use the daily quota of the tested key. */
  readonly spendDay?: boolean;
  /** The pattern of the names that the run creates; by default that of the suites. */
  readonly namePattern?: string;
  readonly network?: Network;
  /** What the run is limited to; nothing by default. */
  readonly selection?: Selection;
  /** Milliseconds since the Unix epoch at which the run begins. */
  readonly start?: number;
  /** How far the service's clock is ahead of the clock of the test machine, in milliseconds. */
  readonly clockOffset?: number;
  /** When the machine of the run is suspended. */
  readonly suspensions?: readonly Suspension[];
  /** How the clock of the service is set during the run. */
  readonly clockSet?: ClockSet;
  /** When another client sends a request with the tested key, in milliseconds since the beginning, ascending. */
  readonly otherClientTimes?: readonly number[];
}

/** Runs the suites against the core of the reference server in virtual time, and judges the journal. */
export async function virtualRun(run: VirtualRun = {}): Promise<VirtualResult> {
  const clock = new VirtualClock(run.start, run.suspensions);
  const plans = run.plans ?? loadPlans();
  const time = new ServiceTime(clock, run.clockOffset, run.clockSet);
  const { fault, algorithm, ban, network, selection, otherClientTimes = [] } = run;
  const service = createService({
    plans,
    clock: time,
    ...(fault === undefined ? {} : { seams: fault }),
    ...(algorithm === undefined ? {} : { algorithm }),
    ...(ban === undefined ? {} : { ban }),
  });
  const keysAndInputs = inputsOf(run, plans, service.keys);
  return recordVirtualRun({
    answer: time.withOtherClient(service.handle, keysAndInputs.keys.key, otherClientTimes),
    clock,
    ...keysAndInputs,
    ...(network === undefined ? {} : { network }),
    ...(selection === undefined ? {} : { selection }),
  });
}

type ServiceKeys = ReturnType<typeof createService>['keys'];

function inputsOf(run: VirtualRun, plans: Plans, all: ServiceKeys) {
  const name = run.plan ?? 'free';
  const furtherPlans = ['free', 'pro', 'business'].filter((one) => one !== name);
  const byPlan: Readonly<Record<string, readonly string[]>> = { ...all };
  const keys: Keys = {
    key: byPlan[name]?.[0] ?? '',
    ...(run.withoutOtherKey === true ? {} : { other: (name === 'free' ? all.free[1] : all.free[0]) ?? '' }),
    ...(run.withoutExhaustedKey === true ? {} : { exhausted: all.exhausted[0] ?? '' }),
    ...(run.withDisposableKey === true ? { disposable: byPlan[name]?.[1] ?? '' } : {}),
    plans: Object.fromEntries(furtherPlans.map((one) => [one, byPlan[one]?.[0] ?? ''])),
  };
  const inputs: RunInputs = {
    tag: 'virtual1',
    plan: name,
    limits: limitsOf(plans, name),
    otherKey: run.withoutOtherKey !== true,
    exhaustedKey: run.withoutExhaustedKey !== true,
    disposableKey: run.withDisposableKey === true,
    spendDay: run.spendDay === true,
    exclusiveKey: run.exclusiveKey === true,
    thorough: run.thorough === true,
    openapi: undefined,
    furtherPlans,
    ...(run.namePattern === undefined ? {} : { namePattern: run.namePattern }),
  };
  return {
    keys,
    inputs,
    furtherPlans: Object.fromEntries(furtherPlans.map((one) => [one, limitsOf(plans, one)])),
  };
}
