import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileDigest } from '../../kernel/basics/file-digest.ts';
import type { RecordedFile, RecordedFiles } from '../../kernel/findings/load.ts';
import { RUN_FILE } from './run-file.ts';
import { COMPRESSED_SAMPLES_FILE, SAMPLES_FILE } from './sample-files.ts';

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

/** The files that a run of this machine has just left in its folder. */
export function recordedIn(folder: string): RecordedFiles | undefined {
  const samples = [SAMPLES_FILE, COMPRESSED_SAMPLES_FILE]
    .map((name) => join(folder, name))
    .find((path) => existsSync(path));
  return recordedFiles(join(folder, RUN_FILE), samples === undefined ? [] : [samples]);
}

function digested(path: string): readonly RecordedFile[] {
  const digest = fileDigest(path);
  return digest === undefined ? [] : [{ name: basename(path), digest: `sha256:${digest}` }];
}
