import { UserError } from '../../words/user-error.ts';
import { wrongTarget } from '../model/headline.ts';
import type { RunLine } from '../model/journal.ts';
import { Pacer } from '../pacing/pacer.ts';
import { TargetLostError } from '../pacing/transport.ts';
import type { SessionOptions } from '../wire/session.ts';
import { Session } from '../wire/session.ts';
import type { RunPlan } from './plan.ts';
import { requestsOf } from './plan.ts';

/** The target is not the service. The run ends without a verdict. The message is the headline of the record. */
export class WrongTargetError extends UserError {
  override readonly name = 'WrongTargetError';
}

/** The first line of a journal, without the fields that come from the plan. */
export type RunHead = Omit<RunLine, 'kind' | 'journalVersion' | 'limits' | 'probes' | 'startedAt' | 'inputs'>;

/**
 * Runs every probe of the plan once and records every exchange. The journal's
 * last line says how the run ended. An interruption (`AbortError`), a lost target
 * (`TargetLostError`) and a target that is not the service (`WrongTargetError`)
 * end it early and are thrown again. The journal can still be judged.
 */
export async function recordRun(plan: RunPlan, head: RunHead, options: SessionOptions): Promise<void> {
  const { journal, clock, signal } = options;
  journal.append({
    kind: 'run',
    journalVersion: 3,
    ...head,
    limits: plan.inputs.limits,
    inputs: inputsOf(plan),
    probes: plan.probes.map(({ probe, cost }) => ({ id: probe.id, requests: requestsOf(cost) })),
    startedAt: isoTime(clock.now().wall),
  });
  const end = (how: 'finished' | 'interrupted' | 'failed', because: string): void =>
    journal.append({ kind: 'end', how, because, finishedAt: isoTime(clock.now().wall) });
  try {
    await runProbes(plan, new Pacer(new Session(options)), head.target.baseUrl);
    end('finished', 'every probe was run');
  } catch (error) {
    if (error instanceof TargetLostError || error instanceof WrongTargetError) end('failed', error.message);
    else if (signal?.aborted === true) end('interrupted', 'the run was interrupted');
    throw error;
  } finally {
    await options.wire.closeConnections();
  }
}

async function runProbes(plan: RunPlan, pacer: Pacer, baseUrl: string): Promise<void> {
  for (const { probe } of plan.probes) {
    pacer.session.beginProbe(probe.id);
    await probe.run(pacer, plan.inputs);
    const headline = wrongTarget(baseUrl, pacer.session.exchanges);
    if (headline !== undefined) throw new WrongTargetError(`${headline.text} ${headline.fix}`);
  }
}

function inputsOf({ inputs }: RunPlan): RunLine['inputs'] {
  const { otherKey, exhaustedKey, disposableKey, exclusiveKey, openapi } = inputs;
  return { otherKey, exhaustedKey, disposableKey, exclusiveKey, openapi: openapi !== undefined };
}

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
