import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { limitsOf } from '../../spec/plans.ts';
import type { RequirementId } from '../../spec/register.ts';
import { loadSpecification } from '../../spec/specification.ts';
import { fileTrouble } from '../../words/file-trouble.ts';
import { UserError } from '../../words/user-error.ts';
import { baseUrlText } from '../inputs/base-url.ts';
import { ENVIRONMENT } from '../inputs/input-names.ts';
import { checkSpendDay } from '../inputs/spend-day.ts';
import { probes } from '../probes/index.ts';
import type { Probe } from '../probes/probe.ts';
import { LostRunError } from '../run/lost-run.ts';
import { recordToFile } from '../run/record-to-file.ts';
import type { SettledRun } from '../run/run-settings.ts';
import { furtherKeysIn, settleRun } from '../run/run-settings.ts';
import { probesFor } from '../run/select.ts';
import type { PlaywrightSettings } from './settings.ts';
import { enterWholeDay } from './whole-day.ts';

/** Runs a part of the run under a name that Playwright's reports show. */
export type ReportedStep = (name: string, run: () => Promise<void>) => Promise<void>;

/** Settles a run of the probes that the selected requirements need, or of all where no selection is known; each is one step. */
export function settlePlaywrightRun(
  { target, plan, plans, exclusiveKey, thorough, spendDay, namePattern, openapi }: PlaywrightSettings,
  ids: ReadonlySet<RequirementId> | undefined,
  step: ReportedStep,
): SettledRun {
  const needed = ids === undefined ? probes : probesFor(ids);
  if (spendDay) checkSpendDay(limitsOf(plans, plan), plan, ENVIRONMENT.spendDay);
  return settleRun({
    plans,
    plan,
    furtherKeys: furtherKeysIn(target.keys),
    spendDay,
    exclusiveKey,
    thorough,
    namePattern,
    openapi,
    probes: needed.map((probe) => asStep(probe, step)),
  });
}

function asStep(probe: Probe, step: ReportedStep): Probe {
  return {
    ...probe,
    run: (pacer, inputs) => step(`${probe.id}: ${probe.description}`, () => probe.run(pacer, inputs)),
  };
}

/** What a run sends and how long it takes at least, in one sentence for the terminal. */
export function announcement({ target }: PlaywrightSettings, { plan }: SettledRun): string {
  const { inputs, probes, total, seconds } = plan;
  return `Testing ${baseUrlText(target.baseUrl)} (plan ${inputs.plan}): ${probes.length} probes with ${total.withKey} requests with the key, ${total.withOtherKeys} with other keys and ${total.unauthenticated} without a valid one, in at least ${Math.ceil(seconds)} s.`;
}

/**
 * Records the run in a journal at `path`, whose folder is made.
 * @throws what `recordToFile` throws.
 */
export async function recordPlaywrightRun(
  { target }: PlaywrightSettings,
  run: SettledRun,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const specification = await loadSpecification();
  makeFolder(dirname(path));
  const day = enterWholeDay(target, run, Date.now());
  try {
    await recordToFile({ ...run, target, specification }, { path, names: ENVIRONMENT, signal });
  } catch (error) {
    if (!(error instanceof LostRunError) || !error.judgeable) throw error;
    throw new UserError(
      `${error.message} To judge the exchanges before that, set PETSTORE_JOURNAL=${path} and run the tests again.`,
    );
  } finally {
    day?.settle(path, Date.now());
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UserError(
      `The folder ${folder} cannot be made: ${fileTrouble(error)}; choose another one with PETSTORE_OUT.`,
    );
  }
}
