import { join } from 'node:path';
import { keepEarlier, timeStamp } from '../../reports/earlier-files.ts';
import { makeFolder } from './folder.ts';
import type { Terminal } from './terminal.ts';

/** The folder for the files of a run: the one of `--out`, or one in `out`, named by the time and this name. */
export const runFolder = (out: string | undefined, name: string, now: Date): string =>
  out ?? join('out', `${timeStamp(now)}-${name}`);

/**
 * Makes the folder of a run. Files of an earlier run are moved, because a reader must not take them for files of this
 * run, and what was recorded cannot be made again; a line on standard error says where they are.
 * @param names of the files that are moved.
 * @throws {UserError} when the folder cannot be made or a file cannot be moved.
 */
export function makeRunFolder(folder: string, names: readonly string[], { err }: Terminal): void {
  makeFolder(folder);
  const kept = keepEarlier(folder, names, new Date());
  if (kept !== undefined) err.write(`${kept}\n`);
}
