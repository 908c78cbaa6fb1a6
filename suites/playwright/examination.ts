import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { RequirementId } from '../../spec/register.ts';
import { loadSpecification } from '../../spec/specification.ts';
import { UserError } from '../../words/user-error.ts';
import { baseUrlText, usesProxy } from '../inputs/base-url.ts';
import { boundsOf } from '../inputs/bounds.ts';
import { SUITE } from '../inputs/suite.ts';
import { randomTag } from '../inputs/tag.ts';
import { probes } from '../probes/index.ts';
import type { Probe } from '../probes/probe.ts';
import type { RunPlan } from '../run/plan.ts';
import { planRun } from '../run/plan.ts';
import { recordRun } from '../run/record-run.ts';
import { probesFor } from '../run/select.ts';
import { systemClock } from '../wire/clock.ts';
import { basePath, HttpWire } from '../wire/http-wire.ts';
import { JournalFile } from '../wire/journal-file.ts';
import type { Settings } from './settings.ts';

/** Runs a part of the examination under a name that reports show. */
export type Step = (name: string, run: () => Promise<void>) => Promise<void>;

/** Plans the probes that the selected requirements need, or all where no selection is known; each is one step. */
export function planFor(
  { keys, limits, plan, exclusiveKey, namePattern }: Settings,
  ids: ReadonlySet<RequirementId> | undefined,
  step: Step,
): RunPlan {
  const asked = ids === undefined ? probes : probesFor(ids);
  return planRun(
    asked.map((probe) => stepped(probe, step)),
    {
      tag: randomTag(),
      limits,
      plan,
      otherKey: keys.other !== undefined,
      exhaustedKey: keys.exhausted !== undefined,
      disposableKey: keys.disposable !== undefined,
      exclusiveKey,
      openapi: undefined,
      furtherPlans: [],
      ...(namePattern === undefined ? {} : { namePattern }),
    },
  );
}

function stepped(probe: Probe, step: Step): Probe {
  return {
    ...probe,
    run: (pacer, inputs) => step(`${probe.id}: ${probe.description}`, () => probe.run(pacer, inputs)),
  };
}

/** What a run will send and how long it takes at least, in one sentence for the terminal. */
export function announcement({ baseUrl, plan }: Settings, { probes, total, seconds }: RunPlan): string {
  return `Examining ${baseUrlText(baseUrl)} (plan ${plan}): ${probes.length} probes, ${total.withKey} requests with the key, ${total.withOtherKeys} with other keys, ${total.unauthenticated} without a valid one, in at least ${Math.ceil(seconds)} s.`;
}

/**
 * Examines the target into a journal at `path`, creating its folder.
 * @throws {TargetLostError} when the target cannot be reached (any more).
 * @throws {UserError | JournalError} when the run cannot be made.
 */
export async function record(settings: Settings, plan: RunPlan, path: string): Promise<void> {
  const { baseUrl, keys, limits } = settings;
  const { version, digest } = await loadSpecification();
  const proxied = usesProxy(baseUrl, process.env);
  makeFolder(dirname(path));
  const journal = new JournalFile(path);
  try {
    await recordRun(
      plan,
      {
        suite: SUITE,
        spec: { version, digest },
        target: { baseUrl: baseUrlText(baseUrl), plan: settings.plan },
        furtherPlans: {},
      },
      {
        wire: new HttpWire({ baseUrl, clock: systemClock, proxied, ...boundsOf(limits) }),
        clock: systemClock,
        journal,
        keys,
        limits,
        basePath: basePath(baseUrl),
      },
    );
  } finally {
    journal.close();
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(`The folder ${folder} (PETSTORE_OUT) cannot be made: ${why}.`);
  }
}
