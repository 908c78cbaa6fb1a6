import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { InterruptedError, UserError } from '../../../kernel/basics/errors.ts';
import { COMMAND, durationText, shellWord } from '../../../kernel/basics/text.ts';
import { JournalError, LineFile } from '../../../kernel/recording/line-file.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { readOpenapiDocuments } from '../inputs/openapi/read-document.ts';
import type { JournalLine } from '../model/journal.ts';
import { TargetLostError } from '../pacing/transport.ts';
import { HttpWire } from '../wire/http-wire.ts';
import type { Journal } from '../wire/journal.ts';
import { systemClock } from '../wire/wire.ts';
import type { RunEquipment } from './record-run.ts';
import { lostRunError, recordRun } from './record-run.ts';
import type { RunSettings, SettledRun, TargetAccess } from './run-settings.ts';
import type { InputNames } from './select.ts';
import { enterRun } from './usage.ts';

const LEAST_REQUEST_SECONDS = 30;

/** A target may delay a response until its window has passed, so the timeout is this much longer than a window, in seconds. */
const BEYOND_WINDOW_SECONDS = 15;

/** A little more than the journal keeps, so that the length of a slightly larger body is still exact. */
const MOST_BODY_BYTES = 5 * 1024 * 1024;

/**
 * Runs the probes over real sockets and in real time.
 * @throws what `recordRun` throws.
 */
export async function recordOverHttp(
  settings: RunSettings,
  equipment: Pick<RunEquipment, 'journal' | 'signal'>,
): Promise<void> {
  const { baseUrl, certificateAuthority, clientCertificate, proxied } = settings.target;
  const { minuteSeconds } = settings.plan.inputs.limits;
  const wire = new HttpWire({
    proxy: proxied ? (await import('undici')).default.EnvHttpProxyAgent : undefined,
    baseUrl,
    clock: systemClock,
    requestMs: 1000 * Math.max(LEAST_REQUEST_SECONDS, minuteSeconds + BEYOND_WINDOW_SECONDS),
    bodyBytes: MOST_BODY_BYTES,
    ca: certificateAuthority,
    clientCertificate,
  });
  return recordRun(settings, { ...equipment, wire, clock: systemClock });
}

/** A journal on disk with an observer. Closing it is final: later lines are not written. */
class Recording implements Journal {
  readonly path: string;
  readonly #file: LineFile<JournalLine>;
  readonly #observe: (line: JournalLine) => void;
  #state: 'open' | 'ended' | 'closed' = 'open';
  #responses = 0;

  /** @throws {JournalError} when the file cannot be written. */
  constructor(path: string, observe: (line: JournalLine) => void) {
    this.path = path;
    this.#file = new LineFile(path);
    this.#observe = observe;
  }

  append(line: JournalLine): void {
    if (this.#state === 'closed') return;
    this.#file.append(line);
    if (line.kind === 'end') this.#state = 'ended';
    if (line.kind === 'exchange' && line.outcome.kind === 'answer') this.#responses += 1;
    this.#observe(line);
  }

  get judgeable(): boolean {
    return this.#responses > 0;
  }

  /** Writes the last line of an interrupted run, unless the run has written one. */
  interrupt(at: Date): void {
    if (this.#state !== 'open') return;
    this.append({
      kind: 'end',
      how: 'interrupted',
      because: 'the run was interrupted',
      finishedAt: at.toISOString(),
    });
  }

  close(): void {
    this.#state = 'closed';
    this.#file.close();
  }
}

/** Where a run is recorded, who watches it, and what ends it early. */
interface RecordingOptions {
  /** Of the journal; its folder exists. */
  readonly path: string;
  /** Gets a problem of the usage ledger in a sentence. */
  readonly report: (problem: string) => void;
  /** What the user calls the inputs, so that advice names the right one. */
  readonly names: InputNames;
  /** Called with every line of the journal after it was written. */
  readonly observe?: ((line: JournalLine) => void) | undefined;
  readonly signal: AbortSignal;
}

/** How long an interrupted run may take to write its last line itself, in milliseconds. */
const GRACE_MS = 300;

/** @throws {InterruptedError | LostRunError | WrongTargetError} and the journal is kept. @throws {GuardError | UserError | JournalError} */
export async function recordToFile(
  run: SettledRun,
  target: TargetAccess,
  options: RecordingOptions,
): Promise<void> {
  // A document that cannot be read must not leave the day of the key in the ledger: nothing was sent.
  const complete = await withOpenapiDocuments(run, target, options.signal);
  const settle = enterRun(options.report, complete.plan, target, Date.now());
  try {
    await record(complete, target, options);
  } finally {
    settle(options.path, Date.now());
  }
}

async function record(
  run: SettledRun,
  target: TargetAccess,
  { path, names, observe = () => undefined, signal }: RecordingOptions,
): Promise<void> {
  const settings = { ...run, target, specification: await loadSpecification() };
  const recording = new Recording(path, observe);
  try {
    await untilAborted(recordOverHttp(settings, { journal: recording, signal }), signal);
  } catch (error) {
    if (!signal.aborted) throw explained(error, target, recording, names);
  } finally {
    if (signal.aborted) recording.interrupt(new Date());
    recording.close();
  }
  if (signal.aborted) throw interrupted(path, run.plan.inputs.limits.minuteSeconds);
}

/** The run with the text of the target's OpenAPI documents, where the user named one. */
async function withOpenapiDocuments(
  run: SettledRun,
  { certificateAuthority }: TargetAccess,
  signal: AbortSignal,
): Promise<SettledRun> {
  const { openapi, plan } = run;
  if (openapi === undefined) return run;
  const documents = await readOpenapiDocuments(openapi, { certificateAuthority, signal });
  if (documents === undefined) throw new InterruptedError('Interrupted before the first request of the run.');
  return { ...run, plan: { ...plan, inputs: { ...plan.inputs, openapi: documents } } };
}

/** Settles as `work` does, or resolves shortly after the signal aborts, whatever `work` waits for. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  await Promise.race([work, aborted.then(() => delay(GRACE_MS))]);
}

function explained(error: unknown, target: TargetAccess, recording: Recording, names: InputNames): unknown {
  if (error instanceof TargetLostError) return lostRunError(error, target, recording.judgeable, names);
  if (!(error instanceof JournalError) || !recording.judgeable) return error;
  return new UserError(
    `${error.message} The exchanges before that are kept: free some space and start a new run, or judge them with: ${judgeCommand(recording.path)}`,
  );
}

/** The limit goes on during a pause, so exchanges before and after it prove nothing together. */
const interrupted = (path: string, minuteSeconds: number): InterruptedError =>
  new InterruptedError(
    `Interrupted: a run cannot be resumed. Start a new one after a window of the limit has passed (${durationText(minuteSeconds)}), or judge what was recorded with: ${judgeCommand(path)}`,
  );

const judgeCommand = (path: string): string => `${COMMAND} judge ${shellWord(path)}`;
