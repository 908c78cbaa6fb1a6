import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
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
