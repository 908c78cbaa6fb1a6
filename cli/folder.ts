import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileTrouble } from '../words/file-trouble.ts';
import { UserError } from '../words/user-error.ts';
import { makeFolders } from '../words/user-folders.ts';

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
 * Removes the files of an earlier run from a folder, so that they are not taken for files of this run.
 * @throws {UserError} when one of the files cannot be removed.
 */
export function removeFiles(folder: string, names: readonly string[]): void {
  for (const path of names.map((name) => join(folder, name))) {
    try {
      rmSync(path, { force: true });
    } catch (error) {
      throw new UserError(
        `The file ${path} of an earlier run cannot be removed: ${fileTrouble(error)}; remove it, or choose another folder with --out.`,
      );
    }
  }
}

/** `2026-11-21T05-52-28Z`: ISO 8601 to the second, without colons, which some file systems do not allow. */
export const timeStamp = (now: Date): string => now.toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
