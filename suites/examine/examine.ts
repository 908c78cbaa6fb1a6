import type { RunLine } from '../model/journal.ts';
import { Pacer, TargetLostError } from '../pace/pacer.ts';
import type { SessionOptions } from '../wire/session.ts';
import { Session } from '../wire/session.ts';
import type { ExaminationPlan } from './plan.ts';
import { requestsOf } from './plan.ts';

/** The head of a journal, less what the plan says. */
export type RunHead = Omit<RunLine, 'kind' | 'journalVersion' | 'limits' | 'probes' | 'startedAt' | 'given'>;

/**
 * Runs every probe of the plan once and writes everything down. The journal's
 * last line says how it ended; an interruption and a lost target end it early
 * and are thrown again (`AbortError`, `TargetLostError`), because neither is a
 * verdict. Whatever was recorded before is judgeable.
 */
export async function examine(plan: ExaminationPlan, head: RunHead, options: SessionOptions): Promise<void> {
  const { journal, clock, signal } = options;
  journal.append({
    kind: 'run',
    journalVersion: 2,
    ...head,
    limits: plan.means.limits,
    given: given(plan),
    probes: plan.probes.map(({ probe, cost }) => ({ id: probe.id, requests: requestsOf(cost) })),
    startedAt: iso(clock.now().wall),
  });
  const end = (how: 'finished' | 'interrupted' | 'failed', because: string): void =>
    journal.append({ kind: 'end', how, because, finishedAt: iso(clock.now().wall) });
  try {
    await runProbes(plan, new Pacer(new Session(options)));
    end('finished', 'every probe was asked');
  } catch (error) {
    if (error instanceof TargetLostError) end('failed', error.message);
    else if (signal?.aborted === true) end('interrupted', 'the run was interrupted');
    throw error;
  } finally {
    await options.wire.hangUp();
  }
}

async function runProbes(plan: ExaminationPlan, pacer: Pacer): Promise<void> {
  for (const { probe } of plan.probes) {
    pacer.session.begin(probe.id);
    await probe.run(pacer, plan.means);
  }
}

function given({ means }: ExaminationPlan): RunLine['given'] {
  const { otherKey, spentKey, sacrificialKey, openapi } = means;
  return { otherKey, spentKey, sacrificialKey, openapi: openapi !== undefined };
}

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
