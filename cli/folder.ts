import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { timeStamp } from '../reports/earlier-files.ts';
import { fileTrouble } from '../words/file-trouble.ts';
import { UserError } from '../words/user-error.ts';
import { makeFolders } from '../words/user-folders.ts';

/** The folder for the files of a run: the one of `--out`, or one in `out`, named by the time and this name. */
export const runFolder = (out: string | undefined, name: string, now: Date): string =>
  out ?? join('out', `${timeStamp(now)}-${name}`);

/**
 * Makes a folder and its missing parents.
 * @throws {UserError} when that cannot be done.
 */
export function makeFolder(path: string): void {
  try {
    makeFolders(path);
  } catch (error) {
    throw new UserError(
      `The folder ${path} cannot be made: ${fileTrouble(error)}; choose another one with --out.`,
    );
  }
}

/**
 * Writes a file that does not exist yet.
 * @throws {UserError} when it exists, or cannot be written.
 */
export function writeNewFile(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    throw new UserError(`${path} cannot be written: ${fileTrouble(error)}; choose another file with --out.`);
  }
}
