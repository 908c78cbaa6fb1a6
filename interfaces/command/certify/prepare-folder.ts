import { join } from 'node:path';
import { JOURNAL } from '../../../reports/run-folder.ts';
import { REPORTS } from '../../../reports/write.ts';
import { makeRunFolder } from '../run-folder.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Makes the folder of a run, without the files of an earlier one.
 * @returns the path of the journal, which does not exist yet.
 * @throws {UserError} when the folder cannot be made or a file cannot be moved.
 */
export function prepareFolder(folder: string, terminal: Terminal): string {
  makeRunFolder(folder, [JOURNAL, ...REPORTS], terminal);
  return join(folder, JOURNAL);
}
