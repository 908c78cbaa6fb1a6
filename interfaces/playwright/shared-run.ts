import { setTimeout as delay } from 'node:timers/promises';
import { InterruptedError } from '../../kernel/basics/interrupted-error.ts';
import { UserError } from '../../kernel/basics/user-error.ts';
import { readBaseline } from '../../reports/baseline/file.ts';
import { prepareRunFolder } from '../../reports/run-folder.ts';
import { baseUrlText } from '../../suites/service/inputs/base-url.ts';
import type { JournalLine } from '../../suites/service/model/journal.ts';
import type { Probe } from '../../suites/service/probes/probe.ts';
import { LostRunError } from '../../suites/service/run/lost-run.ts';
import { requestsOf } from '../../suites/service/run/plan.ts';
import { WrongTargetError } from '../../suites/service/run/record-run.ts';
import { recordToFile } from '../../suites/service/run/record-to-file.ts';
import type { SettledRun } from '../../suites/service/run/run-settings.ts';
import type { OptionValues, PetstoreOptions } from '../options/table.ts';
import { withConfigFile } from './config-file.ts';
import type { RunState } from './run-state.ts';
import { claimRun, isAlive, readState, statePath, writeState } from './run-state.ts';
import type { JudgingSettings, PlaywrightRun } from './settings.ts';
import { playwrightOptions, readJudgingSettings, settlePlaywrightRun } from './settings.ts';

/** Runs a part of the run under a name that Playwright's reports show. */
type ReportedStep = (name: string, run: () => Promise<void>) => Promise<void>;

/** The same probe as one step of Playwright's reports. */
const asStep =
  (step: ReportedStep) =>
  (probe: Probe): Probe => ({
    ...probe,
    run: (pacer, inputs) => step(`${probe.id}: ${probe.description}`, () => probe.run(pacer, inputs)),
  });

/** What a run sends and how long it takes at least, in one sentence for the terminal. */
function announcement({ target, run }: PlaywrightRun): string {
  const { inputs, probes, total, seconds } = run.plan;
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

/** What a run needs from Playwright. */
export interface Surroundings {
  /** Playwright's folder for results: workers share state in it. */
  readonly outputFolder: string;
  readonly step: ReportedStep;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/** The run that the tests of a worker report. */
export interface SharedRun extends JudgingSettings {
  /** Whether this worker recorded it, or is the first to judge it. */
  readonly first: boolean;
}

/** How often a worker looks whether another one has finished the run, in milliseconds. */
const POLL_MS = 200;

/**
 * The run with these options: records it in the first worker that asks, and waits for it in every other one.
 * Playwright replaces its worker after each failing test, and may have several; the target sees one run.
 * @throws {UserError | InterruptedError} when there is no run to judge; every worker gets the same sentence.
 */
export async function sharedRun(given: PetstoreOptions, around: Surroundings): Promise<SharedRun> {
  const { options, sentence } = withConfigFile(playwrightOptions(given), process.env);
  const settings = readJudgingSettings(options, process.env);
  const path = statePath(around.outputFolder, options, process.env);
  const claim: RunState = { ...settings, state: 'recording', worker: process.pid };
  if (!claimRun(path, around.outputFolder, claim)) {
    await finishedElsewhere(path, around.signal);
    return { ...settings, first: false };
  }
  if (sentence !== undefined) around.print(sentence);
  try {
    await record(options, settings, around);
    writeState(path, { ...settings, state: 'recorded' });
    return { ...settings, first: true };
  } catch (error) {
    writeState(path, { ...settings, state: 'failed', ...failureOf(error) });
    throw withAdvice(error, settings);
  }
}

async function record(
  options: OptionValues,
  { recorded, journal, folder, baseline }: JudgingSettings,
  { step, print, signal }: Surroundings,
): Promise<void> {
  // A mistake in the baseline must not cost a run.
  if (baseline !== undefined) readBaseline(baseline);
  if (recorded) return print(`Judging the recorded run ${journal}; nothing is sent.`);
  const settled = settlePlaywrightRun(options, process.env, asStep(step));
  const { run, target, names } = settled;
  prepareRunFolder({ path: folder, input: 'PETSTORE_OUT or petstore.out', report: print });
  print(announcement(settled));
  await recordToFile(run, target, {
    path: journal,
    ledger: { enters: 'every run', report: print },
    names,
    observe: spacedProgress(run, print),
    signal,
  });
  print(`Journal: ${journal}`);
}

/** Waits for the worker that records the run. @throws {UserError} when that failed. */
async function finishedElsewhere(path: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const state = readState(path);
    if (state?.state === 'recorded') return;
    if (state?.state === 'failed') throw new UserError(state.message);
    if (state?.state === 'recording' && !isAlive(state.worker) && readState(path)?.state === 'recording') {
      throw new UserError(
        'The worker process that recorded the run ended before the run did; start a new run after a window of the limit has passed.',
      );
    }
    if (signal.aborted) throw new InterruptedError('Interrupted while another worker recorded the run.');
    await delay(POLL_MS);
  }
}

const failureOf = (error: unknown): { readonly message: string; readonly judgeable: boolean } => ({
  message: error instanceof Error ? error.message : String(error),
  judgeable: error instanceof WrongTargetError || (error instanceof LostRunError && error.judgeable),
});

/** A lost run leaves exchanges that can be judged. */
const withAdvice = (error: unknown, { journal }: JudgingSettings): unknown =>
  error instanceof LostRunError && error.judgeable
    ? new UserError(
        `${error.message} To judge the exchanges before that, set PETSTORE_JOURNAL=${journal} and run the tests again.`,
      )
    : error;
