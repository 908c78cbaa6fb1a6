import { definedFields } from '../../kernel/basics/json.ts';
import type { RunRecord } from '../../kernel/findings/record.ts';
import type { Selection } from '../../kernel/findings/tested.ts';
import type { RunOption } from '../../reference-server/catalogue/faults/fault.ts';
import type { Variant } from '../../reference-server/catalogue/variants/variant.ts';
import type { BanPolicy } from '../../reference-server/limiters/ban.ts';
import type { AlgorithmName } from '../../reference-server/limiters/index.ts';
import type { Seams } from '../../reference-server/seams.ts';
import type { RequestHandler } from '../../reference-server/service/message.ts';
import { createService } from '../../reference-server/service/service.ts';
import type { Limits, Plans } from '../../spec/plans.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { loadSpecification } from '../../spec/specification.ts';
import { judge } from '../../suites/service/judge/judge.ts';
import type { JournalLine } from '../../suites/service/model/journal.ts';
import { TargetLostError } from '../../suites/service/pacing/transport.ts';
import { probes } from '../../suites/service/probes/index.ts';
import type { RunInputs } from '../../suites/service/probes/probe.ts';
import type { RunPlan } from '../../suites/service/run/plan.ts';
import { planRun } from '../../suites/service/run/plan.ts';
import { recordRun, WrongTargetError } from '../../suites/service/run/record-run.ts';
import { probesFor } from '../../suites/service/run/select.ts';
import type { Keys } from '../../suites/service/wire/keyring.ts';
import type { ClockSet, Suspension } from './service-time.ts';
import { ServiceTime, VirtualClock } from './service-time.ts';
import type { Network } from './service-wire.ts';
import { loopback, ServiceWire } from './service-wire.ts';

/** A service without sockets in virtual time, and the inputs of a run against it. */
interface VirtualTarget {
  readonly answer: RequestHandler;
  readonly clock: VirtualClock;
  readonly network?: Network;
  readonly keys: Keys;
  readonly inputs: RunInputs;
  /** The limits of every further plan for which a key is given. */
  readonly furtherPlans?: Readonly<Record<string, Limits>>;
  /** What the run is limited to; nothing by default. */
  readonly selection?: Selection;
}

/** The journal, the record and the plan of a run in virtual time. */
export interface VirtualResult {
  readonly lines: readonly JournalLine[];
  /** Judged when it is read first: many tests read what was sent, alone. */
  readonly record: RunRecord;
  readonly plan: RunPlan;
  /** The record of the same journal, with every warning counted as a violation. */
  readonly judgedStrictly: () => RunRecord;
}

const specification = await loadSpecification();

/** Runs the suites in virtual time and judges the journal. A run that stops because the target is lost is judged as far as it went. */
export async function recordVirtualRun(target: VirtualTarget): Promise<VirtualResult> {
  const { answer, clock, keys, inputs, furtherPlans = {}, selection } = target;
  const needed = selection === undefined ? probes : probesFor(selection, inputs.thorough);
  const plan = planRun(needed, inputs);
  const lines: JournalLine[] = [];
  const settings = {
    plan,
    furtherLimits: furtherPlans,
    openapi: undefined,
    selection,
    product: undefined,
    specification,
    target: {
      baseUrl: new URL('http://127.0.0.1:8080/v1'),
      keys,
      certificateAuthority: undefined,
      headers: [],
      proxied: false,
    },
  };
  const equipment = {
    wire: new ServiceWire(answer, clock, target.network ?? loopback),
    clock,
    journal: { append: (line: JournalLine) => void lines.push(line) },
  };
  try {
    await clock.run(recordRun(settings, equipment));
  } catch (error) {
    if (!(error instanceof TargetLostError || error instanceof WrongTargetError)) throw error;
  }
  const judged = (strict: boolean): RunRecord => judge({ lines, damage: [] }, specification, { strict });
  let record: RunRecord | undefined;
  return {
    lines,
    plan,
    get record() {
      record ??= judged(false);
      return record;
    },
    judgedStrictly: () => judged(true),
  };
}

/** The circumstances of a run in virtual time; by default the plans of the specification and a fast link. */
export interface VirtualRun
  extends Partial<Pick<RunInputs, 'exclusiveKey' | 'thorough' | 'spendDay' | 'namePattern'>> {
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
    ...definedFields({ seams: fault, algorithm, ban }),
  });
  const keysAndInputs = inputsOf(run, plans, service.keys);
  return recordVirtualRun({
    answer: time.withOtherClient(service.handle, keysAndInputs.keys.key, otherClientTimes),
    clock,
    ...keysAndInputs,
    ...definedFields({ network, selection }),
  });
}

/** The inputs of a run with a Free key and that of another caller, unless others are given. */
export const runInputs = (given: Partial<RunInputs>): RunInputs => ({
  tag: 'virtual1',
  plan: 'free',
  limits: limitsOf(loadPlans(), 'free'),
  ...{ otherKey: true, exhaustedKey: false, disposableKey: false, exclusiveKey: false, thorough: false },
  openapi: undefined,
  furtherPlans: [],
  ...given,
});

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
  const { exclusiveKey, thorough, spendDay, namePattern } = run;
  const inputs = runInputs({
    plan: name,
    limits: limitsOf(plans, name),
    otherKey: run.withoutOtherKey !== true,
    exhaustedKey: run.withoutExhaustedKey !== true,
    disposableKey: run.withDisposableKey === true,
    furtherPlans,
    ...definedFields({ exclusiveKey, thorough, spendDay, namePattern }),
  });
  return {
    keys: shared(keys),
    inputs,
    furtherPlans: Object.fromEntries(furtherPlans.map((one) => [one, limitsOf(plans, one)])),
  };
}

const known = new Map<string, Keys>();

/** Equal keys as one object: a session prepares their redaction once. */
function shared(keys: Keys): Keys {
  const text = JSON.stringify(keys);
  const same = known.get(text) ?? keys;
  known.set(text, same);
  return same;
}

const { plans, ...windows } = loadPlans();

/** The plans of the specification with a small daily quota, which a run can use in a short time. */
const SMALL_DAY = {
  ...windows,
  plans: { ...plans, free: { perMinute: 60, perDay: 150 }, pro: { perMinute: 300, perDay: 700 } },
};

/** How a run in virtual time is given each option. */
const GIVEN: Readonly<Record<RunOption, VirtualRun>> = {
  'exclusive key': { exclusiveKey: true },
  'disposable key': { withDisposableKey: true },
  thorough: { thorough: true },
  'used day': { spendDay: true, withoutExhaustedKey: true, plans: SMALL_DAY },
};

/** The parameters of a run in virtual time against a conforming variant. */
export const runAgainst = (
  variant: Pick<Variant, 'algorithm' | 'namePattern' | 'testedWith'> & Seams,
): VirtualRun => ({
  fault: variant,
  ...definedFields({ algorithm: variant.algorithm, namePattern: variant.namePattern }),
  withDisposableKey: variant.testedWith === 'a disposable key',
  withoutOtherKey: variant.testedWith === 'no second key',
  // A day is used only for what shows at its end.
  ...(variant.testedWith === 'a used day' ? runWith(['used day']) : {}),
});

/** The parameters of a run in virtual time with these options. */
export const runWith = (options: readonly RunOption[] = []): VirtualRun =>
  Object.assign({}, ...options.map((option) => GIVEN[option]));
