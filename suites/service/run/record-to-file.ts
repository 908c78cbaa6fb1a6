import { InterruptedError, UserError } from '../../../kernel/basics/errors.ts';
import { COMMAND, durationText, shellWord } from '../../../kernel/basics/text.ts';
import { JournalError, LineFile } from '../../../kernel/recording/line-file.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { readOpenapiDocuments } from '../inputs/openapi/read-document.ts';
import type { JournalLine } from '../model/journal.ts';
import { TargetLostError } from '../pacing/transport.ts';
import { HttpWire } from '../wire/http-wire.ts';
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
    baseUrl,
    certificateAuthority,
    clientCertificate,
    proxy: proxied ? (await import('undici')).default.EnvHttpProxyAgent : undefined,
    clock: systemClock,
    requestMs: 1000 * Math.max(LEAST_REQUEST_SECONDS, minuteSeconds + BEYOND_WINDOW_SECONDS),
    bodyBytes: MOST_BODY_BYTES,
  });
  return recordRun(settings, { ...equipment, wire, clock: systemClock });
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
  const file = new LineFile<JournalLine>(path);
  let judgeable = false;
  const append = (line: JournalLine): void => {
    file.append(line);
    judgeable ||= line.kind === 'exchange' && line.outcome.kind === 'answer';
    observe(line);
  };
  try {
    await recordOverHttp(settings, { journal: { append }, signal });
  } catch (error) {
    if (signal.aborted) throw interrupted(path, run.plan.inputs.limits.minuteSeconds);
    if (error instanceof TargetLostError) throw lostRunError(error, target, judgeable, names);
    throw error instanceof JournalError && judgeable ? unwritable(error, path) : error;
  } finally {
    file.close();
  }
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

const unwritable = ({ message }: JournalError, path: string): UserError =>
  new UserError(
    `${message} The exchanges before that are kept: free some space and start a new run, or judge them with: ${judgeCommand(path)}`,
  );

/** The limit goes on during a pause, so exchanges before and after it prove nothing together. */
const interrupted = (path: string, minuteSeconds: number): InterruptedError =>
  new InterruptedError(
    `Interrupted: a run cannot be resumed. Start a new one after a window of the limit has passed (${durationText(minuteSeconds)}), or judge what was recorded with: ${judgeCommand(path)}`,
  );

const judgeCommand = (path: string): string => `${COMMAND} judge ${shellWord(path)}`;
