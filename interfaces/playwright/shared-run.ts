import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from '@playwright/test';
import { InterruptedError, UserError } from '../../kernel/basics/errors.ts';
import { readBaseline } from '../../reports/baseline.ts';
import { prepareRunFolder } from '../../reports/run-folder.ts';
import { baseUrlText } from '../../suites/service/inputs/base-url.ts';
import type { Probe } from '../../suites/service/probes/probe.ts';
import { LostRunError, WrongTargetError } from '../../suites/service/run/record-run.ts';
import type { OptionValues, PetstoreOptions } from '../options/table.ts';
import { plainProgress } from '../run/progress.ts';
import type { SettledService } from '../run/service.ts';
import { recordService } from '../run/service.ts';
import type { ConfiguredOptions, JudgingSettings } from './settings.ts';
import { configured, judgingSettings, playwrightOptions, settlePlaywrightRun } from './settings.ts';
import { judgedRun, print, writeRun } from './verdicts.ts';

/** Set by the reporter for each invocation: in UI mode, one main process has several. */
const INVOCATION = 'PETSTORE_INVOCATION';

/** How far the run of an invocation is. Worker processes share it by a file in Playwright's output folder. */
type RunState =
  | { readonly state: 'recording'; readonly worker: number }
  | { readonly state: 'recorded' }
  | { readonly state: 'failed'; readonly message: string };

/** Names a new invocation, for the workers that inherit the environment. */
export function beginInvocation(env: NodeJS.ProcessEnv): void {
  env[INVOCATION] = randomUUID();
}

/** The file of the run with these options: of this invocation, or without the reporter of its main process. */
function statePath(outputFolder: string, options: OptionValues): string {
  const digest = createHash('sha256').update(JSON.stringify(options)).digest('hex').slice(0, 16);
  const invocation = process.env[INVOCATION] ?? `process-${process.ppid}`;
  return join(outputFolder, `.petstore-run-${invocation}-${digest}.json`);
}

/** Claims a run for this worker. @returns whether no other worker has it. */
function claimRun(path: string, folder: string): boolean {
  const claim: RunState = { state: 'recording', worker: process.pid };
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(path, JSON.stringify(claim), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Replaces the state of a run; a reader meets the old one or the new one. */
function writeState(path: string, state: RunState): void {
  writeFileSync(`${path}.draft`, JSON.stringify(state));
  renameSync(`${path}.draft`, path);
}

/** The state of a run; undefined while its first bytes are being written. */
function readState(path: string): RunState | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RunState;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether the worker that records a run is still there. */
function isAlive(worker: number): boolean {
  try {
    process.kill(worker, 0);
    return true;
  } catch {
    return false;
  }
}

/** The same probe as one step of Playwright's reports. */
const asStep = (probe: Probe): Probe => ({
  ...probe,
  run: (pacer, inputs) => test.step(`${probe.id}: ${probe.description}`, () => probe.run(pacer, inputs)),
});

/** What a run sends and how long it takes at least, in one sentence for the terminal. */
function announcement({ target, run }: SettledService): string {
  const { inputs, probes, total, seconds } = run.plan;
  const least = seconds === 0 ? '' : `, in at least ${Math.ceil(seconds)} s`;
  return `Testing ${baseUrlText(target.baseUrl)} (plan ${inputs.plan}): ${probes.length} probes with ${total.withKey} requests with the key, ${total.withOtherKeys} with other keys and ${total.unauthenticated} without a valid one${least}.`;
}

/** A line of progress appears at most this often, in milliseconds: only a run that takes minutes shows any. */
const PROGRESS_MS = 60_000;

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
export async function sharedRun(given: PetstoreOptions, signal: AbortSignal): Promise<SharedRun> {
  const options = configured(playwrightOptions(given), process.env);
  const settings = judgingSettings(options.values);
  const { outputDir } = test.info().project;
  const path = statePath(outputDir, options.values);
  if (!claimRun(path, outputDir)) {
    await finishedElsewhere(path, signal);
    return { ...settings, first: false };
  }
  if (options.sentence !== undefined) print(options.sentence);
  try {
    await record(options, settings, signal);
  } catch (error) {
    writeState(path, { state: 'failed', message: error instanceof Error ? error.message : String(error) });
    const isLost = error instanceof LostRunError && error.judgeable;
    // The journal has exchanges that reports can show.
    if (isLost || error instanceof WrongTargetError) await writeRun(await judgedRun(settings), settings);
    if (!isLost) throw error;
    throw new UserError(
      `${error.message} To judge the exchanges before that, set PETSTORE_JOURNAL=${settings.journal} and run the tests again.`,
    );
  }
  writeState(path, { state: 'recorded' });
  return { ...settings, first: true };
}

async function record(
  options: ConfiguredOptions,
  { recorded, journal, folder, baseline }: JudgingSettings,
  signal: AbortSignal,
): Promise<void> {
  // A mistake in the baseline must not cost a run.
  if (baseline !== undefined) readBaseline(baseline);
  if (recorded) return print(`Judging the recorded run ${journal}; nothing is sent.`);
  const settled = settlePlaywrightRun(options, process.env, asStep);
  prepareRunFolder({ path: folder, input: 'PETSTORE_OUT or petstore.out', report: print });
  print(announcement(settled));
  await recordService(settled, journal, {
    report: print,
    progress: (run) => plainProgress(print, run, PROGRESS_MS),
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
