import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EARLIER } from '../../../kernel/basics/earlier.ts';
import { fileTrouble } from '../../../kernel/basics/file-trouble.ts';
import { RUN_FILE, RunFolderError } from '../run-file.ts';

/** The files of a run: the samples of its runners, and the file that says what was to be sent. */
export interface PartFiles {
  /** Each file once, in the order of their paths. */
  readonly samples: readonly string[];
  readonly runFiles: readonly string[];
}

/** Sub-folders are searched this deep: a bucket or a volume holds one folder for each runner. */
const DEEPEST = 3;

/**
 * Finds the files of a run. What was moved aside of an earlier run in the same folder is not searched.
 * @param paths files, or folders that hold them at any depth up to three.
 * @throws {RunFolderError} when one cannot be read.
 */
export function findParts(paths: readonly string[]): PartFiles {
  const found = new Set(
    paths.flatMap((path) => filesIn(path, DEEPEST, true)).map((path) => realpathSync(path)),
  );
  // A file is removed only once it was compressed as a whole.
  const files = [...found]
    .sort()
    .filter((path) => !found.has(path.replace(/\.gz$/, '')) || !path.endsWith('.gz'));
  return {
    samples: files.filter((path) => basename(path) !== RUN_FILE),
    runFiles: files.filter((path) => basename(path) === RUN_FILE),
  };
}

function filesIn(path: string, depth: number, named: boolean): readonly string[] {
  try {
    if (!statSync(path).isDirectory()) return named || isOfRun(path) ? [path] : [];
    if (depth < 0) return [];
    return readdirSync(path)
      .filter((name) => !name.startsWith(EARLIER))
      .flatMap((name) => filesIn(join(path, name), depth - 1, false));
  } catch (error) {
    if (error instanceof RunFolderError) throw error;
    throw new RunFolderError(`${path} cannot be read: ${fileTrouble(error)}. Name the folder of a load run.`);
  }
}

const isOfRun = (path: string): boolean => basename(path) === RUN_FILE || /\.ndjson(?:\.gz)?$/.test(path);
