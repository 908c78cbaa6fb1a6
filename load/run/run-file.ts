import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, join } from 'node:path';
import { UserError } from '../../kernel/basics/errors.ts';
import { unambiguousJson } from '../../kernel/basics/json.ts';
import { troubleText } from '../../kernel/basics/shape.ts';
import { fileDigest, fileTrouble, readRegularFile } from '../../kernel/basics/user-files.ts';
import type { RecordedFile, RecordedFiles } from '../../kernel/findings/load.ts';
import type { LoadRunFile } from '../model/run-file.ts';
import { runFileShape } from '../model/run-file.ts';

/** The file that says what a run was to send, in the folder of the run. */
export const RUN_FILE = 'load-run.json';

/** The file of a run that begins now. @param k6Version as `major.minor.patch`. */
export const newRunFile = (
  run: Omit<LoadRunFile, 'schemaVersion' | 'startedAt' | 'environment' | 'end'>,
  k6Version: string,
): LoadRunFile => ({
  schemaVersion: 2,
  ...run,
  startedAt: new Date().toISOString(),
  environment: {
    k6: k6Version,
    http: 'HTTP/1.1',
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    cpus: cpus().length,
  },
  end: null,
});

/** @throws {UserError} when that cannot be done, for example on a full disk. */
export function writeRunFile(folder: string, run: LoadRunFile): void {
  try {
    writeFileSync(join(folder, RUN_FILE), `${JSON.stringify(run, null, 2)}\n`);
  } catch (error) {
    throw unkept(folder, error);
  }
}

export const unkept = (folder: string, error: unknown): UserError =>
  new UserError(
    `The measurements cannot be kept in ${folder}: ${fileTrouble(error)}; free disk space, or choose another folder with --out.`,
    { cause: error },
  );

/** @throws {UserError} when there is none, or it is damaged. */
export function readRunFileAt(path: string): LoadRunFile {
  let value: unknown;
  try {
    value = unambiguousJson(readRegularFile(path, 'The file of the run'));
  } catch (error) {
    if (error instanceof UserError) throw new UserError(`${error.message} Name the folder of a load run.`);
    throw error;
  }
  if (value === undefined)
    throw new UserError(`${path} is not JSON, or has a name twice. Name the folder of a load run.`);
  if (runFileShape.is(value)) return value;
  throw new UserError(
    `${path} does not describe a load run of this version: ${troubleText(value, runFileShape)}.`,
  );
}

/**
 * The files of a run with their digests; undefined where the file of the run cannot be read. Samples that cannot be
 * read were not judged either, and are left out.
 * @param samples the files of all runners. Their order means nothing, nor does the folder of each.
 */
export function recordedFiles(run: string, samples: readonly string[]): RecordedFiles | undefined {
  const [file] = digested(run);
  if (file === undefined) return undefined;
  const order = ({ name, digest }: RecordedFile): string => `${name} ${digest}`;
  return { run: file, samples: samples.flatMap(digested).sort((a, b) => (order(a) < order(b) ? -1 : 1)) };
}

function digested(path: string): readonly RecordedFile[] {
  const digest = fileDigest(path);
  return digest === undefined ? [] : [{ name: basename(path), digest: `sha256:${digest}` }];
}
