import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JudgingSettings } from './settings.ts';

/** Set by the reporter for each invocation: in UI mode, one main process has several. */
const INVOCATION = 'PETSTORE_INVOCATION';

/** How far the run of an invocation is. Worker processes share it by a file in Playwright's output folder. */
export type RunState = JudgingSettings &
  (
    | { readonly state: 'recording'; readonly worker: number }
    | { readonly state: 'recorded' }
    /** `judgeable`: the journal has exchanges that reports can show. */
    | { readonly state: 'failed'; readonly message: string; readonly judgeable: boolean }
  );

/** Names a new invocation, for the workers that inherit the environment. */
export function beginInvocation(env: NodeJS.ProcessEnv): void {
  env[INVOCATION] = randomUUID();
}

/** Whose run a worker reports: that of the invocation, or without the reporter that of its main process. */
const invocationOf = (env: NodeJS.ProcessEnv, mainProcess: number): string =>
  env[INVOCATION] ?? `process-${mainProcess}`;

const PREFIX = '.petstore-run-';

/** The file of the run with these options in this invocation. Projects with the same options share one run. */
export function statePath(outputFolder: string, options: unknown, env: NodeJS.ProcessEnv): string {
  const digest = createHash('sha256').update(JSON.stringify(options)).digest('hex').slice(0, 16);
  return join(outputFolder, `${PREFIX}${invocationOf(env, process.ppid)}-${digest}.json`);
}

/** The runs of this invocation in an output folder, for the main process. */
export function statesIn(outputFolder: string, env: NodeJS.ProcessEnv): readonly RunState[] {
  const prefix = `${PREFIX}${invocationOf(env, process.pid)}-`;
  return namesIn(outputFolder).flatMap((name) => {
    const state = name.startsWith(prefix) ? readState(join(outputFolder, name)) : undefined;
    return state === undefined ? [] : [state];
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    // Without an output folder, no worker recorded anything.
    return [];
  }
}

/** Claims a run for this worker. @returns whether no other worker has it. */
export function claimRun(path: string, folder: string, state: RunState): boolean {
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(path, JSON.stringify(state), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Replaces the state of a run; a reader meets the old one or the new one. */
export function writeState(path: string, state: RunState): void {
  writeFileSync(`${path}.draft`, JSON.stringify(state));
  renameSync(`${path}.draft`, path);
}

/** The state of a run; undefined while its first bytes are being written. */
export function readState(path: string): RunState | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RunState;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether the worker that records a run is still there. */
export function isAlive(worker: number): boolean {
  try {
    process.kill(worker, 0);
    return true;
  } catch {
    return false;
  }
}
