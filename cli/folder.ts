import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileTrouble } from '../suites/given/file-trouble.ts';
import { UserError } from '../suites/given/user-error.ts';

/**
 * Makes a folder and those that it lies in, where they are missing.
 * @throws {UserError} when that cannot be done.
 */
export function makeFolder(path: string): void {
  try {
    makeEach(path);
  } catch (error) {
    throw new UserError(
      `The folder ${path} cannot be made: ${fileTrouble(error)}; choose another with --out.`,
    );
  }
}

/** One by one: Node's own recursive way never returns where the kernel refuses new files, as below /proc. */
function makeEach(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeEach(parent);
  mkdirSync(path);
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
