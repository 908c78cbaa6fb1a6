import { definedFields } from '../../../kernel/basics/defined-fields.ts';
import { UserError } from '../../../kernel/basics/user-error.ts';
import { SUITE } from '../../../kernel/findings/suite.ts';
import { baseUrlText } from '../inputs/base-url.ts';
import { wrongTarget } from '../model/headline.ts';
import type { RunLine } from '../model/journal.ts';
import { Pacer } from '../pacing/pacer.ts';
import { TargetLostError } from '../pacing/transport.ts';
import { basePath } from '../wire/http-wire.ts';
import type { SessionOptions } from '../wire/session.ts';
import { Session } from '../wire/session.ts';
import type { RunPlan } from './plan.ts';
import { requestsOf } from './plan.ts';
import type { RunSettings } from './run-settings.ts';

/** The target is not the service, so the run ends without a verdict. The message is the headline of the record. */
export class WrongTargetError extends UserError {
  override readonly name = 'WrongTargetError';
}

/** The wire, the clock and the journal of a run: over HTTP and a file, or simulated and in memory. */
export type RunEquipment = Pick<SessionOptions, 'wire' | 'clock' | 'journal' | 'signal'>;

/**
 * Runs every probe of the plan once and records everything. The journal's last line says how the run ended. An
 * interruption, a lost target and a target that is not the service end the run early and are thrown again
 * (`AbortError`, `TargetLostError`, `WrongTargetError`), because none of them is a verdict. The journal can be judged
 * in every case.
 */
export async function recordRun(settings: RunSettings, equipment: RunEquipment): Promise<void> {
  const { plan, target } = settings;
  const { wire, clock, journal, signal } = equipment;
  const now = (): string => new Date(clock.now().wall).toISOString();
  const session = new Session({
    ...equipment,
    keys: target.keys,
    limits: plan.inputs.limits,
    basePath: basePath(target.baseUrl),
    origin: target.baseUrl.origin,
    extraHeaders: target.headers,
  });
  const end = (how: 'finished' | 'interrupted' | 'failed', because: string): void =>
    journal.append({ kind: 'end', how, because, finishedAt: now() });
  journal.append(firstLine(settings, now()));
  try {
    await runProbes(plan, new Pacer(session), baseUrlText(target.baseUrl));
    end('finished', 'every probe ran');
  } catch (error) {
    if (error instanceof TargetLostError || error instanceof WrongTargetError) end('failed', error.message);
    else if (signal?.aborted === true) end('interrupted', 'the run was interrupted');
    throw error;
  } finally {
    await wire.closeConnections();
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

/** The first line of the journal: what is tested, against which specification, and with which inputs. */
function firstLine(settings: RunSettings, startedAt: string): RunLine {
  const { plan, target, furtherLimits, specification, selection, product } = settings;
  const { limits, otherKey, exhaustedKey, disposableKey, exclusiveKey, thorough, openapi } = plan.inputs;
  const spendDay = plan.inputs.spendDay === true;
  return {
    kind: 'run',
    journalVersion: 3,
    suite: SUITE,
    spec: { version: specification.version, digest: specification.digest },
    target: definedFields({
      baseUrl: baseUrlText(target.baseUrl),
      plan: plan.inputs.plan,
      bundled: target.bundled,
    }),
    ...(product === undefined ? {} : { product }),
    furtherPlans: furtherLimits,
    limits,
    inputs: {
      otherKey,
      exhaustedKey,
      disposableKey,
      exclusiveKey,
      thorough,
      spendDay,
      openapi: openapi !== undefined,
    },
    ...(selection === undefined ? {} : { selection }),
    probes: plan.probes.map(({ probe, cost }) => ({ id: probe.id, requests: requestsOf(cost) })),
    startedAt,
  };
}
