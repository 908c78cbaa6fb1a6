import type { AlgorithmName, BanPolicy, Seams } from '../../reference-server/index.ts';
import { createService } from '../../reference-server/index.ts';
import type { Law } from '../../spec/law.ts';
import { loadLaw } from '../../spec/law.ts';
import type { Plans } from '../../spec/plans.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import { examine } from '../../suites/examine/examine.ts';
import type { ExaminationPlan } from '../../suites/examine/plan.ts';
import { planExamination } from '../../suites/examine/plan.ts';
import { judge } from '../../suites/judging/judge.ts';
import type { JournalLine } from '../../suites/model/journal.ts';
import type { RunRecord } from '../../suites/model/record.ts';
import { probes } from '../../suites/probes/index.ts';
import type { Means } from '../../suites/probes/probe.ts';
import type { Keys } from '../../suites/wire/keyring.ts';
import type { Network } from './service-wire.ts';
import { loopback, ServiceWire } from './service-wire.ts';
import { VirtualClock } from './virtual-clock.ts';

/** What to examine in virtual time; the real plans and a fast link unless said otherwise. */
export interface VirtualRun {
  readonly plans?: Plans;
  readonly plan?: string;
  readonly algorithm?: AlgorithmName;
  readonly fault?: Seams;
  readonly ban?: BanPolicy;
  /** Also examine with a key that may be lost. */
  readonly sacrifice?: boolean;
  readonly network?: Network;
  readonly strict?: boolean;
  /** Milliseconds since the Unix epoch at which the run begins. */
  readonly start?: number;
}

/** The journal, the record and the plan of a run in virtual time. */
export interface VirtualResult {
  readonly lines: readonly JournalLine[];
  readonly record: RunRecord;
  readonly plan: ExaminationPlan;
}

let law: Promise<Law> | undefined;

/** Examines the reference server's core in virtual time and judges what was recorded. */
export async function virtualRun(run: VirtualRun = {}): Promise<VirtualResult> {
  law ??= loadLaw();
  const clock = new VirtualClock(run.start);
  const plans = run.plans ?? loadPlans();
  const { fault, algorithm, ban } = run;
  const service = createService({
    plans,
    clock: { now: () => clock.now().wall },
    ...(fault === undefined ? {} : { fault }),
    ...(algorithm === undefined ? {} : { algorithm }),
    ...(ban === undefined ? {} : { ban }),
  });
  const { means, keys, furtherPlans } = meansOf(run, plans, service.keys);
  const plan = planExamination(probes, means);
  const lines: JournalLine[] = [];
  const { version, digest } = await law;
  const head = {
    suite: { name: 'petstore-conformance', version: '0.0.0' },
    spec: { version, digest },
    target: { baseUrl: 'http://127.0.0.1:8080/v1', plan: means.plan },
    furtherPlans,
  };
  const options = {
    wire: new ServiceWire(service.answer, clock, run.network ?? loopback),
    clock,
    journal: { append: (line: JournalLine) => void lines.push(line) },
    keys,
    limits: means.limits,
    basePath: '/v1',
  };
  await clock.run(examine(plan, head, options));
  return { lines, plan, record: judge({ lines, damage: [] }, await law, { strict: run.strict ?? false }) };
}

type ServiceKeys = ReturnType<typeof createService>['keys'];

function meansOf(run: VirtualRun, plans: Plans, all: ServiceKeys) {
  const name = run.plan ?? 'free';
  const others = ['free', 'pro', 'business'].filter((one) => one !== name);
  const byPlan: Readonly<Record<string, readonly string[]>> = { ...all };
  const keys: Keys = {
    key: byPlan[name]?.[0] ?? '',
    other: (name === 'free' ? all.free[1] : all.free[0]) ?? '',
    spent: all.spent[0] ?? '',
    ...(run.sacrifice === true ? { sacrificial: byPlan[name]?.[1] ?? '' } : {}),
    plans: Object.fromEntries(others.map((one) => [one, byPlan[one]?.[0] ?? ''])),
  };
  const means: Means = {
    tag: 'virtual1',
    plan: name,
    limits: limitsOf(plans, name),
    otherKey: true,
    spentKey: true,
    sacrificialKey: run.sacrifice === true,
    openapi: undefined,
    furtherPlans: others,
  };
  return { keys, means, furtherPlans: Object.fromEntries(others.map((one) => [one, limitsOf(plans, one)])) };
}
