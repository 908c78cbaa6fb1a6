import type { RequestHandler } from '../../reference-server/index.ts';
import type { Law } from '../../spec/law.ts';
import { loadLaw } from '../../spec/law.ts';
import type { Limits } from '../../spec/plans.ts';
import { examine, WrongTargetError } from '../../suites/examine/examine.ts';
import type { ExaminationPlan } from '../../suites/examine/plan.ts';
import { planExamination } from '../../suites/examine/plan.ts';
import { SUITE } from '../../suites/given/suite.ts';
import { judge } from '../../suites/judge/judge.ts';
import type { JournalLine } from '../../suites/model/journal.ts';
import type { RunRecord } from '../../suites/model/record.ts';
import { TargetLostError } from '../../suites/pace/pacer.ts';
import { probes } from '../../suites/probes/index.ts';
import type { Means } from '../../suites/probes/probe.ts';
import type { Keys } from '../../suites/wire/keyring.ts';
import type { Network } from './service-wire.ts';
import { loopback, ServiceWire } from './service-wire.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** A service without sockets that lives in virtual time, and all that an examination of it is given. */
export interface VirtualTarget {
  readonly answer: RequestHandler;
  readonly clock: VirtualClock;
  readonly network?: Network;
  readonly keys: Keys;
  readonly means: Means;
  /** The numbers of every further plan for which a key is given. */
  readonly furtherPlans?: Readonly<Record<string, Limits>>;
  readonly strict?: boolean;
}

/** The journal, the record and the plan of a run in virtual time. */
export interface VirtualResult {
  readonly lines: readonly JournalLine[];
  readonly record: RunRecord;
  readonly plan: ExaminationPlan;
}

let law: Promise<Law> | undefined;

/** Examines a service in virtual time and judges what was recorded, as far as it goes where the target is lost midway. */
export async function virtualExamination(target: VirtualTarget): Promise<VirtualResult> {
  const { answer, clock, keys, means, furtherPlans = {} } = target;
  law ??= loadLaw();
  const { version, digest } = await law;
  const plan = planExamination(probes, means);
  const lines: JournalLine[] = [];
  const head = {
    suite: SUITE,
    spec: { version, digest },
    target: { baseUrl: 'http://127.0.0.1:8080/v1', plan: means.plan },
    furtherPlans,
  };
  const options = {
    wire: new ServiceWire(answer, clock, target.network ?? loopback),
    clock,
    journal: { append: (line: JournalLine) => void lines.push(line) },
    keys,
    limits: means.limits,
    basePath: '/v1',
  };
  try {
    await clock.run(examine(plan, head, options));
  } catch (error) {
    if (!(error instanceof TargetLostError || error instanceof WrongTargetError)) throw error;
  }
  const strict = target.strict ?? false;
  return { lines, plan, record: judge({ lines, damage: [] }, await law, { strict }) };
}
