import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../kernel/basics/errors.ts';
import { fileTrouble } from '../../kernel/basics/user-files.ts';
import { timeStamp } from '../../reports/files.ts';

/** Writes a file that does not exist yet. @throws {UserError} when it exists, or cannot be written. */
export function writeNewFile(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    throw new UserError(`${path} cannot be written: ${fileTrouble(error)}; choose another file with --out.`);
  }
}

/** The path of the folder for the files of a run: that of `--out`, or one in `out`, named by the time and this name. */
export const runFolder = (out: string | undefined, name: string, now: Date): string =>
  out ?? join('out', `${timeStamp(now)}-${name}`);
