import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileTrouble } from '../../words/file-trouble.ts';
import { UserError } from '../../words/user-error.ts';
import type { LoadRecord } from '../model/record.ts';
import type { Trace } from '../model/sample.ts';
import { secretsOf, without } from '../script/header-text.ts';
import type { LoadOrder } from './command.ts';
import { K6_FILES, k6Arguments, k6Environment } from './command.ts';
import { endingOf } from './ending.ts';
import { compressSamples, GrowingFile, SAMPLES_FILE } from './sample-files.ts';
import type { Told } from './samples.ts';
import { SampleReader } from './samples.ts';

/** How a run goes, besides what is ordered. */
export interface Course {
  /** The k6 to run. */
  readonly k6: string;
  /** The environment of this program. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the run when it aborts; what was measured is kept. */
  readonly signal: AbortSignal;
  /** Whether a signal of the keyboard reaches k6 by itself, because both stand in one terminal. */
  readonly sharesTerminal: boolean;
  readonly observe?: (told: Told) => void;
}

/** A run that has ended, one way or another. */
export interface LoadOutcome {
  readonly trace: Trace;
  readonly ended: LoadRecord['ended'];
  /** What is wrong with the samples, in sentences. */
  readonly damage: readonly string[];
  /** ISO 8601. */
  readonly startedAt: string;
  readonly finishedAt: string;
}

/** k6 could not be started at all; the message is one sentence for the user. */
export class K6StartError extends UserError {
  override readonly name = 'K6StartError';
}

/** The folder of a run cannot be written to; the message is one sentence for the user. */
export class RunFolderError extends UserError {
  override readonly name = 'RunFolderError';
}

/** How often the samples are looked at, in milliseconds; k6 writes them five times a second. */
const LOOK_MS = 100;

/** How long k6 may take to end by itself, in milliseconds: for the signal of the keyboard, and for ours. */
const KEYBOARD_MS = 250;
const SIGNAL_MS = 500;

/** More of what k6 says than this is of no use, in characters. */
const MOST_SAID = 200_000;

/**
 * Runs k6 for an order and reads its samples as they come. Ends in any case:
 * with the run, by itself, or when the signal aborts.
 * @throws {K6StartError} when k6 cannot be started.
 * @throws {RunFolderError} when what was measured cannot be kept, on a full disk for example.
 */
export async function runLoad(order: LoadOrder, course: Course): Promise<LoadOutcome> {
  const reader = new SampleReader(course.observe);
  const growing = new GrowingFile(join(order.folder, SAMPLES_FILE), reader);
  const startedAt = new Date().toISOString();
  const child = await started(order, course);
  const said = keepWords(child, order);
  const closed = once(child, 'close') as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  const stopping = endWhenAborted(child, course);
  const [code, signal] = await watching(closed, () => growing.catchUp());
  await stopping.done();
  await growing.close();
  const scenarios = order.profile.scenarios(order.inputs);
  const { trace, damage } = reader;
  const interrupted = course.signal.aborted;
  const ended = endingOf({ code, signal, interrupted, lastWords: said.last(), trace, damage }, scenarios);
  // Whoever interrupts a run does not want to wait for its tidying.
  await keep(order.folder, said.text(), { compressed: !interrupted });
  return { trace, damage, ended, startedAt, finishedAt: new Date().toISOString() };
}

async function keep(folder: string, log: string, { compressed }: { compressed: boolean }): Promise<void> {
  try {
    writeFileSync(join(folder, K6_FILES.log), log);
    if (compressed) await compressSamples(folder);
  } catch (error) {
    throw new RunFolderError(
      `What was measured cannot be kept in ${folder}: ${fileTrouble(error)}; make room, or choose another folder with --out.`,
      { cause: error },
    );
  }
}

/**
 * k6 tells how it goes on into a pipe every second: should this program be
 * killed, the pipe breaks, and k6 ends with it instead of going on alone.
 */
async function started(order: LoadOrder, { k6, env }: Course): Promise<ChildProcess> {
  const child = spawn(k6, k6Arguments(order), {
    env: k6Environment(order, env),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  try {
    await once(child, 'spawn');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new K6StartError(`k6 cannot be started: ${why}.`);
  }
  return child;
}

/** Calls `preflight` again and again until `closed` settles. */
async function watching<T>(closed: Promise<T>, look: () => Promise<void>): Promise<T> {
  let ended = false;
  const end = closed.finally(() => {
    ended = true;
  });
  while (!ended) {
    await look();
    await Promise.race([end, delay(LOOK_MS)]);
  }
  return end;
}

function endWhenAborted(child: ChildProcess, { signal, sharesTerminal }: Course) {
  const gone = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const end = async (): Promise<void> => {
    // A second signal makes k6 drop what it has not written yet.
    if (sharesTerminal) await untilGone(child, gone, KEYBOARD_MS);
    if (!gone()) child.kill('SIGINT');
    await untilGone(child, gone, SIGNAL_MS);
    if (!gone()) child.kill('SIGKILL');
  };
  let ending = Promise.resolve();
  const onAbort = (): void => {
    ending = end();
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return {
    async done(): Promise<void> {
      signal.removeEventListener('abort', onAbort);
      await ending;
    },
  };
}

async function untilGone(child: ChildProcess, gone: () => boolean, milliseconds: number): Promise<void> {
  if (gone()) return;
  const timer = new AbortController();
  await Promise.race([once(child, 'exit'), delay(milliseconds, undefined, { signal: timer.signal })]);
  timer.abort();
}

/** Keeps what k6 says on standard error, without secrets, and lets what it says on standard output go. */
function keepWords(child: ChildProcess, { keys, headers }: LoadOrder) {
  const secrets = secretsOf([keys.key, keys.other, keys.disposable, ...keys.fleet], headers);
  let text = '';
  child.stdout?.resume();
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    if (text.length < MOST_SAID) text += piece;
  });
  const withoutSecrets = (): string => without(text, secrets);
  return {
    text: withoutSecrets,
    last: () => (withoutSecrets().trim().split('\n').at(-1) ?? '').slice(0, 300),
  };
}
