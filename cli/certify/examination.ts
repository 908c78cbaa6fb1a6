import { performance } from 'node:perf_hooks';
import type { Specification } from '../../spec/specification.ts';
import type { RunHead, RunPlan } from '../../suites/index.ts';
import {
  basePath,
  HttpWire,
  JournalError,
  recordRun,
  systemClock,
  TargetLostError,
} from '../../suites/index.ts';
import { baseUrlText } from '../../suites/inputs/base-url.ts';
import { boundsOf } from '../../suites/inputs/bounds.ts';
import { SUITE } from '../../suites/inputs/suite.ts';
import { UserError } from '../../words/user-error.ts';
import { InterruptedError } from '../errors.ts';
import { untilAborted } from '../interruption.ts';
import type { Reach } from '../subject.ts';
import { reaching } from '../subject.ts';
import type { Terminal } from '../terminal.ts';
import { secondsText } from '../terminal.ts';
import { lostRun } from './lost-run.ts';
import { readOpenapi } from './openapi-document.ts';
import type { Progress } from './progress.ts';
import { createProgress } from './progress.ts';
import { Recording } from './recording.ts';
import type { Settings } from './settings.ts';

/** How long an interrupted run may take to write its last line itself, in milliseconds. */
const GRACE_MS = 300;

/** Where a run is recorded and shown, and what ends it early. */
export interface Course {
  /** Of the journal. */
  readonly path: string;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/**
 * Examines a settled run's subject into a journal, and shows how it goes on.
 * @throws {InterruptedError} when the signal aborts, with the journal kept.
 * @throws {LostRunError} when the target cannot be reached (any more).
 * @throws {UserError | JournalError} when the run cannot be made.
 */
export async function record(
  settings: Settings,
  specification: Specification,
  course: Course,
): Promise<void> {
  const { subject, plans, runPlan } = settings;
  const { path, terminal, signal } = course;
  const plan = await withDocument(settings, signal);
  await reaching(subject, plans, runPlan.inputs.plan, async (reach) => {
    const progress = createProgress(terminal, plan, () => performance.now());
    try {
      await recordWithProgress({
        plan,
        reach,
        head: headOf(settings, specification, reach),
        path,
        progress,
        signal,
      });
    } finally {
      progress.stop();
    }
  });
}

interface Run {
  readonly plan: RunPlan;
  readonly reach: Reach;
  readonly head: RunHead;
  readonly path: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

async function recordWithProgress({ plan, reach, head, path, progress, signal }: Run): Promise<void> {
  const recording = new Recording(path, (line) => progress.observe(line));
  const { limits } = plan.inputs;
  const options = {
    wire: new HttpWire({
      baseUrl: reach.baseUrl,
      clock: systemClock,
      ...boundsOf(limits),
      proxied: reach.proxied,
      ...(reach.ca === undefined ? {} : { ca: reach.ca }),
    }),
    clock: systemClock,
    journal: recording,
    keys: reach.keys,
    limits,
    basePath: basePath(reach.baseUrl),
    extraHeaders: reach.headers,
    signal,
  };
  try {
    await untilAborted(recordRun(plan, head, options), signal, GRACE_MS);
  } catch (error) {
    if (!signal.aborted) throw ended(error, reach, recording);
  } finally {
    if (signal.aborted) recording.interrupt(new Date());
    recording.close();
  }
  if (signal.aborted) throw interrupted(recording.path, limits.minuteSeconds);
}

/** What a run that came to no end is to be called, and what is left of it. */
function ended(error: unknown, reach: Reach, recording: Recording): unknown {
  if (error instanceof TargetLostError) return lostRun(error, reach, recording);
  if (!(error instanceof JournalError) || !recording.judgeable) return error;
  return new UserError(
    `${error.message} What was recorded before is kept: make room, then examine again, or judge what there is with: ${judgeCommand(recording.path)}`,
  );
}

/** A limit goes on while nobody asks, so what was asked before and after a pause proves nothing together. */
const interrupted = (path: string, minuteSeconds: number): InterruptedError =>
  new InterruptedError(
    `Interrupted: a run cannot be continued; to examine again, start anew once a window of the limit has passed (${secondsText(minuteSeconds)}). What was recorded is kept; judge it with: ${judgeCommand(path)}`,
  );

const judgeCommand = (path: string): string => `petstore-conformance judge ${shellWord(path)}`;

const shellWord = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The plan with the target's OpenAPI document, where the user named one. */
async function withDocument({ runPlan, openapi, subject }: Settings, signal: AbortSignal): Promise<RunPlan> {
  if (openapi === undefined) return runPlan;
  const ca = subject.kind === 'target' ? subject.reach.ca : undefined;
  const documents = await readOpenapi(openapi, { ca, env: process.env, signal });
  if (documents === undefined) throw new InterruptedError('Interrupted before the first request.');
  return { ...runPlan, inputs: { ...runPlan.inputs, openapi: documents } };
}

function headOf(
  { runPlan, furtherLimits }: Settings,
  specification: Specification,
  { baseUrl }: Reach,
): RunHead {
  return {
    suite: SUITE,
    spec: { version: specification.version, digest: specification.digest },
    target: { baseUrl: baseUrlText(baseUrl), plan: runPlan.inputs.plan },
    furtherPlans: furtherLimits,
  };
}
