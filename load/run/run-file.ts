import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileTrouble } from '../../words/file-trouble.ts';
import { UserError } from '../../words/user-error.ts';
import type { ProfileId, ProfileInputs } from '../model/profile.ts';
import type { LoadEnding, LoadRecord } from '../model/record.ts';
import type { Threshold } from '../model/thresholds.ts';
import { isRunFile } from './record-shape.ts';

/** The file that says what a run was to send, in the folder of the run. */
export const RUN_FILE = 'load-run.json';

/** What judging needs besides the samples. It is written before the first request, so that a run of a killed program can be judged. */
export interface LoadRunFile
  extends Pick<
    LoadRecord,
    'schemaVersion' | 'suite' | 'spec' | 'target' | 'product' | 'startedAt' | 'environment'
  > {
  readonly profile: ProfileId;
  readonly inputs: ProfileInputs;
  /** The highest 99th percentile latency, in milliseconds; null where the user set none. */
  readonly latencyThresholdMs: number | null;
  /** Further thresholds of the user; absent where there are none. */
  readonly thresholds?: readonly Threshold[];
  /** How many runs of k6 send the scenarios together, and record their own part of the samples; absent for a run of this machine. */
  readonly runners?: number;
  /** How the run ended; null until it has, and for a run of several runners, whose samples show it. */
  readonly end: (LoadEnding & { readonly finishedAt: string; readonly remarks?: readonly string[] }) | null;
}

/** A run cannot be recorded in its folder, or read from it; the message is one sentence for the user. */
export class RunFolderError extends UserError {
  override readonly name = 'RunFolderError';
}

/**
 * Writes the file of a run.
 * @throws {RunFolderError} when that cannot be done, for example on a full disk.
 */
export function writeRunFile(folder: string, run: LoadRunFile): void {
  try {
    writeFileSync(join(folder, RUN_FILE), `${JSON.stringify(run, null, 2)}\n`);
  } catch (error) {
    throw unkept(folder, error);
  }
}

/** The error for measurements that cannot be kept in this folder. */
export const unkept = (folder: string, error: unknown): RunFolderError =>
  new RunFolderError(
    `The measurements cannot be kept in ${folder}: ${fileTrouble(error)}; free disk space, or choose another folder with --out.`,
    { cause: error },
  );

/**
 * Reads the file of a run.
 * @throws {RunFolderError} when there is none, or it is damaged.
 */
export function readRunFileAt(path: string): LoadRunFile {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : fileTrouble(error);
    throw new RunFolderError(`${path} cannot be read: ${why}. Name the folder of a load run.`);
  }
  if (isRunFile(value)) return value;
  throw new RunFolderError(`${path} does not describe a load run of this version.`);
}
