import { readFileSync, statSync } from 'node:fs';
import { fileTrouble } from './file-trouble.ts';
import { UserError } from './user-error.ts';

/**
 * The text of a file that a user names.
 * @param what it is, at the beginning of a sentence: `The keys file`.
 * @throws {UserError} when it cannot be read.
 */
export function readUserFile(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError(`${what} ${path} cannot be read: ${fileTrouble(error)}.`);
  }
}

/** No report or attestation of a run is larger, in bytes. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * The text of a file that a program wrote: a pipe or a device in its place would never end.
 * @param what as for `readUserFile`.
 * @throws {UserError} when it is no file, too large, or cannot be read.
 */
export function readRegularFile(path: string, what: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile())
    throw new UserError(`${what} ${path} cannot be read: it is not a file.`);
  if (found !== undefined && found.size > MOST_BYTES)
    throw new UserError(`${what} ${path} cannot be read: it has more than ${MOST_BYTES / 1024 / 1024} MiB.`);
  return readUserFile(path, what);
}
