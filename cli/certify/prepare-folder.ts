import { join } from 'node:path';
import { makeFolder, removeFiles } from '../folder.ts';

/** The files that an earlier run may have left in a folder; a reader must not take them for files of this run. */
const RUN_FILES = ['journal.ndjson', 'report.json', 'report.html', 'junit.xml', 'summary.md'];

/**
 * Makes the folder of a run and removes the files of an earlier run from it.
 * @returns the path of the journal, which does not exist yet.
 * @throws {UserError} when the folder cannot be made or a file cannot be removed.
 */
export function prepareFolder(folder: string): string {
  makeFolder(folder);
  removeFiles(folder, RUN_FILES);
  return join(folder, 'journal.ndjson');
}
