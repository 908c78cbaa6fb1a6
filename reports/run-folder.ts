import { join } from 'node:path';
import { makeOutputFolder } from '../kernel/basics/user-files.ts';
import { keepEarlier } from './files.ts';

/** The file names of the reports of a run. They are known without what renders them. */
export const REPORTS = [
  'report.json',
  'report.html',
  'junit.xml',
  'summary.md',
  'ctrf.json',
  'badge.svg',
  'badge.json',
] as const;

export const JOURNAL = 'journal.ndjson';

export interface RunFolder {
  readonly path: string;
  /** What the user names it with; `--out` where it is absent. */
  readonly input?: string;
  /** Gets a sentence that says where earlier files are, before anything is written. */
  readonly report: (sentence: string) => void;
}

/**
 * Makes the folder of a run. Files of an earlier run are moved, because a reader must not take them for files of this
 * run, and what was recorded cannot be made again.
 * @param recorded the names of the files that this run records besides its reports.
 * @returns the path of its journal, which does not exist.
 */
export function prepareRunFolder(
  { path, input = '--out', report }: RunFolder,
  recorded: readonly string[] = [JOURNAL],
): string {
  makeOutputFolder(path, input);
  const kept = keepEarlier(path, [...recorded, ...REPORTS], new Date());
  if (kept !== undefined) report(kept);
  return join(path, JOURNAL);
}
