import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileTrouble } from '../words/file-trouble.ts';
import { UserError } from '../words/user-error.ts';
import { makeFolders } from '../words/user-folders.ts';

/**
 * Makes a folder and those that it lies in, where they are missing.
 * @throws {UserError} when that cannot be done.
 */
export function makeFolder(path: string): void {
  try {
    makeFolders(path);
  } catch (error) {
    throw new UserError(
      `The folder ${path} cannot be made: ${fileTrouble(error)}; choose another with --out.`,
    );
  }
}

/**
 * Removes what an earlier run may have left in a folder, so that nothing of it is taken for a later one's.
 * @throws {UserError} when one of the files cannot be removed.
 */
export function removeFiles(folder: string, names: readonly string[]): void {
  for (const path of names.map((name) => join(folder, name))) {
    try {
      rmSync(path, { force: true });
    } catch (error) {
      throw new UserError(`${path}, of an earlier run, cannot be removed: ${fileTrouble(error)}.`);
    }
  }
}

/** `2026-11-21T05-52-28Z`: ISO 8601 to the second, without what file systems refuse. */
export const stamp = (now: Date): string => now.toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
