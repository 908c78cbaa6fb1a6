import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../kernel/basics/errors.ts';
import { fileTrouble } from '../../kernel/basics/user-files.ts';
import { timeStamp } from '../../reports/files.ts';
import type { Terminal } from './terminal.ts';
import { print } from './terminal.ts';

/**
 * Prints a text, or writes it into a file that does not exist yet, and says so.
 * @param what the text is, for the line about its file: `Archive of 62 exchanges`.
 * @throws {UserError} when the file exists, or cannot be written.
 */
export function printOrWrite(text: string, out: string | undefined, what: string, terminal: Terminal): void {
  if (out === undefined) {
    print(terminal, text.trimEnd());
    return;
  }
  writeNewFile(out, text);
  print(terminal, `${what}: ${out}`);
}

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
