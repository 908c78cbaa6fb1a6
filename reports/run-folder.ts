import { join } from 'node:path';
import { makeOutputFolder } from '../kernel/basics/user-folders.ts';
import type { RunRecord } from '../kernel/findings/record.ts';
import { copyJournal } from './copy-journal.ts';
import { differingNames, keepEarlier } from './earlier-files.ts';
import { REPORTS, reportTexts, writeReports } from './write.ts';

/** The name of the journal in the folder of a run. */
export const JOURNAL = 'journal.ndjson';

/**
 * Makes the folder of a run. Files of an earlier run are moved, because a reader must not take them for files of this
 * run, and a journal cannot be made again.
 * @param input what the user names the folder with, such as `--out`.
 * @returns a sentence that says where the earlier files are; undefined where there were none.
 * @throws {UserError} when the folder cannot be made or a file cannot be moved.
 */
export function prepareRunFolder(folder: string, input: string): string | undefined {
  makeOutputFolder(folder, input);
  return keepEarlier(folder, [JOURNAL, ...REPORTS], new Date());
}

/**
 * Writes the reports of a record and a copy of its journal into a folder. Other reports in it are moved and not
 * overwritten.
 * @param report gets a sentence that says where the others are, before anything is written.
 * @throws {ReportError} when a file cannot be read, moved or written.
 */
export async function writeRunFolder(
  record: RunRecord,
  journal: string,
  folder: string,
  report: (sentence: string) => void,
): Promise<void> {
  const replaced = differingNames(folder, reportTexts(record), { [JOURNAL]: journal });
  const kept = keepEarlier(folder, replaced, new Date());
  if (kept !== undefined) report(kept);
  await writeReports(record, folder);
  copyJournal(journal, join(folder, JOURNAL));
}

/** Where the reports of a run are, in one line. */
export const reportsLine = (folder: string): string =>
  `${join(folder, 'report.html')} (also ${REPORTS.filter((name) => name !== 'report.html').join(', ')})`;
