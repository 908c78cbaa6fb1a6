import { statfsSync } from 'node:fs';
import { RunFolderError } from './run-file.ts';

/** The most bytes that k6 writes for a request, with a waiting event and every header at its longest. */
const BYTES_PER_REQUEST = 1024;

/**
 * Checks before the first request that the samples of a run fit on its disk: load
 * that cannot be recorded is load for nothing.
 * @throws {RunFolderError} when they do not.
 */
export function requireDiskSpace(folder: string, requests: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const problem = spaceProblem(bavail * bsize, requests);
  if (problem !== undefined)
    throw new RunFolderError(
      `The measurements cannot be kept in ${folder}: ${problem}; nothing was sent. Free disk space, or choose another folder with --out.`,
    );
}

/** Why so many free bytes are too few for the samples of so many requests, as a clause; undefined where they are enough. */
export function spaceProblem(freeBytes: number, requests: number): string | undefined {
  const needed = requests * BYTES_PER_REQUEST;
  return freeBytes >= needed
    ? undefined
    : `they need up to ${mebibytes(needed)} MiB, and ${mebibytes(freeBytes)} MiB are free`;
}

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
