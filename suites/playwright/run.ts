import { mkdirSync } from 'node:fs';
import { keepEarlier } from '../../reports/earlier-files.ts';
import { REPORTS } from '../../reports/index.ts';
import { loadSpecification } from '../../spec/specification.ts';
import { fileTrouble } from '../../words/file-trouble.ts';
import { UserError } from '../../words/user-error.ts';
import { enterFullDay } from '../full-day/full-day.ts';
import { baseUrlText } from '../inputs/base-url.ts';
import type { JournalLine, Selection } from '../model/journal.ts';
import type { Probe } from '../probes/probe.ts';
import { requestsOf } from '../run/plan.ts';
import { recordToFile } from '../run/record-to-file.ts';
import type { SettledRun } from '../run/run-settings.ts';
import { furtherKeysIn, settleRun } from '../run/run-settings.ts';
import { checkSpendDay } from '../run/spend-day-check.ts';
import type { PlaywrightSettings } from './settings.ts';
import { JOURNAL } from './settings.ts';

/** Runs a part of the run under a name that Playwright's reports show. */
export type ReportedStep = (name: string, run: () => Promise<void>) => Promise<void>;

/** Settles a run of the probes that the selected requirements need, or of all where nothing limits it; each is one step. */
export function settlePlaywrightRun(
  { target, names, ...choices }: PlaywrightSettings,
  selection: Selection | undefined,
  step: ReportedStep,
): SettledRun {
  const run = settleRun({
    ...choices,
    furtherKeys: furtherKeysIn(target.keys),
    selection,
    wrapProbe: (probe) => asStep(probe, step),
  });
  checkSpendDay(run.plan, names.spendDay);
  return run;
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

/** A line of progress appears at most this often, in milliseconds: only a run that takes minutes shows any. */
const PROGRESS_MS = 60_000;

/** Prints from time to time how many requests a long run has sent, and what it is doing. */
function spacedProgress({ plan }: SettledRun, print: (line: string) => void): (line: JournalLine) => void {
  const planned = requestsOf(plan.total);
  let [sent, printedAt, probe] = [0, performance.now(), ''];
  return (line) => {
    if (line.kind === 'probe') probe = line.id;
    if (line.kind !== 'exchange') return;
    sent += 1;
    if (performance.now() - printedAt < PROGRESS_MS) return;
    printedAt = performance.now();
    const description = plan.probes.find((one) => one.probe.id === probe)?.probe.description ?? '';
    print(`${sent} of ${Math.max(planned, sent)} requests sent; ${probe}: ${description}.`);
  };
}

/**
 * Records the run in a journal at `path`, which does not exist yet; its folder does.
 * @throws what `recordToFile` throws.
 */
export async function recordPlaywrightRun(
  { target, names }: PlaywrightSettings,
  run: SettledRun,
  path: string,
  signal: AbortSignal,
  print: (line: string) => void = () => undefined,
): Promise<void> {
  const specification = await loadSpecification();
  const day = enterFullDay(target, run, Date.now());
  try {
    const observe = spacedProgress(run, print);
    await recordToFile({ ...run, target, specification }, { path, names, observe, signal });
  } finally {
    day?.settle(path, Date.now());
  }
}

/**
 * Makes the folder of a run. Files of an earlier run are moved, because a reader must not take them for files of this
 * run, and a journal cannot be made again.
 * @throws {UserError} when the folder cannot be made or a file cannot be moved.
 */
export function preparePlaywrightFolder(folder: string, print: (line: string) => void): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UserError(
      `The folder ${folder} cannot be made: ${fileTrouble(error)}; choose another one with PETSTORE_OUT or petstore.out.`,
    );
  }
  const kept = keepEarlier(folder, [JOURNAL, ...REPORTS], new Date());
  if (kept !== undefined) print(kept);
}
