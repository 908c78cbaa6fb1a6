import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { UserError } from '../../kernel/basics/errors.ts';
import { secretsOf, withoutSecrets } from '../script/body-reader.ts';
import type { LoadJob } from './k6-command.ts';
import { K6_FILES, k6Arguments, k6Environment } from './k6-command.ts';
import { k6EndingOf, outputRemarks } from './load-ending.ts';
import { unkept } from './run-file.ts';
import type { ScenarioRecord } from './samples.ts';
import { compressSamples, growingFile, SAMPLES_FILE, SampleReader } from './samples.ts';

/**
 * What k6 may take of the memory of this machine, or of the container that this program runs in: it holds every body
 * that it reads, and a target may send one without an end. On systems without `/proc` nothing is ended.
 */
const MOST_SHARE = 1 / 2;

function mostMemory(): number {
  // 0 or undefined where there is no container with a limit.
  const container = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return MOST_SHARE * Math.min(totalmem(), container);
}

/** Bytes of memory that a process holds; 0 where that is not known, as after its end. */
function residentBytes(pid: number | undefined): number {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return 1024 * Number(kibibytes ?? 0);
  } catch {
    return 0;
  }
}

export interface K6Process {
  readonly k6: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the run when it aborts; the measurements are kept. */
  readonly signal: AbortSignal;
  /** Whether Ctrl-C reaches k6 directly, because both processes share a terminal. */
  readonly sharesTerminal: boolean;
  /** The most bytes of memory that k6 may use; half of this machine's where it is absent. */
  readonly mostBytes?: number;
  readonly observe?: (record: ScenarioRecord) => void;
}

export type K6Result = Awaited<ReturnType<typeof runK6>>;

/** k6 could not be started, so nothing was sent; the message is one sentence for the user. */
export class K6StartError extends UserError {
  override readonly name = 'K6StartError';
}

/** How often new samples are read, in milliseconds; k6 writes them at once. */
const READ_INTERVAL_MS = 100;

/** How long to wait for k6 to exit after a signal, in milliseconds: after Ctrl-C in the terminal, and after SIGINT. */
const CTRL_C_MS = 250;

const SIGINT_MS = 500;

const LOG_LIMIT = 200_000;

/**
 * Runs a job with k6 and reads its samples while they are written. Always ends:
 * with the run, or after the signal aborts.
 * @throws {K6StartError} when k6 cannot be started.
 * @throws {UserError} when the measurements cannot be kept, for example on a full disk.
 */
export async function runK6(job: LoadJob, k6Process: K6Process) {
  const reader = new SampleReader(k6Process.observe);
  const samples = growingFile(join(job.folder, SAMPLES_FILE), reader);
  const child = await startK6(job, k6Process);
  const log = collectLog(child, job);
  const closed = once(child, 'close') as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  const abortion = endOnAbort(child, k6Process);
  const mostBytes = k6Process.mostBytes ?? mostMemory();
  let exceededBytes: number | undefined;
  const [code, signal] = await repeatUntil(closed, async () => {
    if (exceededBytes === undefined && residentBytes(child.pid) > mostBytes) {
      exceededBytes = mostBytes;
      child.kill('SIGKILL');
    }
    await samples.readNew();
  });
  await abortion.settled();
  await samples.close();
  const { keys } = reader;
  const interrupted = k6Process.signal.aborted;
  const lastLine = log.lastLine();
  const ended = k6EndingOf({ code, signal, interrupted, exceededBytes, lastLine, keys });
  await keepFiles(job.folder, log.text(), interrupted);
  const remarks = outputRemarks(log.text(), job.outputs);
  return { keys, remarks, ended, finishedAt: new Date().toISOString() };
}

async function keepFiles(folder: string, log: string, interrupted: boolean): Promise<void> {
  try {
    writeFileSync(join(folder, K6_FILES.log), log);
    // A user who interrupts a run does not want to wait for compression.
    if (!interrupted) await compressSamples(folder);
  } catch (error) {
    throw unkept(folder, error);
  }
}

/** k6 reports its progress to a pipe every second: if this program is killed, the pipe breaks, and k6 ends as well. */
async function startK6(job: LoadJob, { k6, env }: K6Process): Promise<ChildProcess> {
  const child = spawn(k6, k6Arguments(job), {
    env: k6Environment(job, env),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  try {
    await once(child, 'spawn');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new K6StartError(`k6 cannot be started: ${reason}.`);
  }
  return child;
}

/** Calls `action` repeatedly until `end` settles. */
async function repeatUntil<T>(end: Promise<T>, action: () => Promise<void>): Promise<T> {
  let ended = false;
  const watched = end.finally(() => {
    ended = true;
  });
  while (!ended) {
    await action();
    await Promise.race([watched, delay(READ_INTERVAL_MS)]);
  }
  return watched;
}

function endOnAbort(child: ChildProcess, { signal, sharesTerminal }: K6Process) {
  const exited = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const end = async (): Promise<void> => {
    // A second SIGINT makes k6 discard what it has not written yet.
    if (sharesTerminal) await waitForExit(child, exited, CTRL_C_MS);
    if (!exited()) child.kill('SIGINT');
    await waitForExit(child, exited, SIGINT_MS);
    if (!exited()) child.kill('SIGKILL');
  };
  let ending = Promise.resolve();
  const onAbort = (): void => {
    ending = end();
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return {
    /** Stops listening, and waits for an end that was started. */
    async settled(): Promise<void> {
      signal.removeEventListener('abort', onAbort);
      await ending;
    },
  };
}

async function waitForExit(child: ChildProcess, exited: () => boolean, milliseconds: number): Promise<void> {
  if (exited()) return;
  await once(child, 'exit', { signal: AbortSignal.timeout(milliseconds) }).catch(() => undefined);
}

/** Collects k6's standard error without secrets, and discards its standard output. */
function collectLog(child: ChildProcess, { keys, headers }: LoadJob) {
  const secrets = secretsOf(Object.values(keys), headers);
  let log = '';
  child.stdout?.resume();
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    if (log.length < LOG_LIMIT) log += piece;
  });
  const text = (): string => withoutSecrets(log, secrets);
  return {
    text,
    // The lines of a stack begin with white space.
    lastLine: () =>
      (
        text()
          .trim()
          .split('\n')
          .findLast((line) => /^\S/.test(line)) ?? ''
      ).slice(0, 300),
  };
}
