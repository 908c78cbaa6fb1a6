import type { RunRecord } from '../../kernel/findings/record.ts';
import type { Selection } from '../../kernel/findings/tested.ts';
import type { RequestHandler } from '../../reference-server/service/message.ts';
import type { Limits } from '../../spec/plans.ts';
import type { Specification } from '../../spec/specification.ts';
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
import type { Network } from './service-wire.ts';
import { loopback, ServiceWire } from './service-wire.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** A service without sockets in virtual time, and the inputs of a run against it. */
export interface VirtualTarget {
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

let specification: Promise<Specification> | undefined;

/** Runs the suites in virtual time and judges the journal. A run that stops because the target is lost is judged as far as it went. */
export async function recordVirtualRun(target: VirtualTarget): Promise<VirtualResult> {
  const { answer, clock, keys, inputs, furtherPlans = {}, selection } = target;
  specification ??= loadSpecification();
  const needed = selection === undefined ? probes : probesFor(selection, inputs.thorough);
  const plan = planRun(needed, inputs);
  const lines: JournalLine[] = [];
  const settings = {
    plan,
    furtherLimits: furtherPlans,
    openapi: undefined,
    selection,
    product: undefined,
    specification: await specification,
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
  const judged = (strict: boolean): RunRecord =>
    judge({ lines, damage: [] }, settings.specification, { strict });
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
