import { join } from 'node:path';
import { keepEarlier } from '../../reports/earlier-files.ts';
import { REPORTS } from '../../reports/index.ts';
import { makeFolder } from '../folder.ts';
import type { Terminal } from '../terminal.ts';

/** The name of the journal in the folder of a run. */
export const JOURNAL = 'journal.ndjson';

/**
 * Makes the folder of a run. Files of an earlier run are moved, because a reader must not take them for files of this
 * run, and a journal cannot be made again; a line on standard error says where they are.
 * @returns the path of the journal, which does not exist yet.
 * @throws {UserError} when the folder cannot be made or a file cannot be moved.
 */
export function prepareFolder(folder: string, now: Date, { err }: Terminal): string {
  makeFolder(folder);
  const kept = keepEarlier(folder, [JOURNAL, ...REPORTS], now);
  if (kept !== undefined) err.write(`${kept}\n`);
  return join(folder, JOURNAL);
}
