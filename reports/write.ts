import { copyFileSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileDigest, fileTrouble, makeOutputFolder } from '../kernel/basics/user-files.ts';
import type { RunRecord } from '../kernel/findings/record.ts';
import type { Trace } from '../load/model/sample.ts';
import { renderBadgeJson, renderBadgeSvg } from './badge.ts';
import { renderCtrf } from './cases.ts';
import { keepEarlier, ReportError, renderJson, writeTexts } from './files.ts';
import { renderHtml } from './html/page.ts';
import { renderJunit } from './junit.ts';
import type { RunFolder } from './run-folder.ts';
import { JOURNAL, REPORTS } from './run-folder.ts';
import { renderSummary } from './summary.ts';

const RENDERERS: Readonly<Record<(typeof REPORTS)[number], (record: RunRecord, trace?: Trace) => string>> = {
  'report.json': renderJson,
  'report.html': renderHtml,
  'junit.xml': renderJunit,
  'summary.md': renderSummary,
  'ctrf.json': renderCtrf,
  'badge.svg': renderBadgeSvg,
  'badge.json': renderBadgeJson,
};

export const reportTexts = (record: RunRecord, trace?: Trace): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(RENDERERS).map(([name, render]) => [name, render(record, trace)]));

/**
 * Writes the reports of a run into a folder.
 * @param trace the samples of a load run, for its charts.
 * @returns the paths that were written.
 * @throws {ReportError} when the folder cannot be written to.
 */
export const writeReports = (record: RunRecord, folder: string, trace?: Trace): Promise<readonly string[]> =>
  writeTexts(reportTexts(record, trace), folder);

/**
 * Writes the reports of a record into a folder, and a copy of its journal. Other reports in it are moved and not
 * overwritten.
 * @throws {ReportError | UserError} when a file cannot be read, moved or written.
 */
export async function writeRunFolder(
  record: RunRecord,
  { journal, trace }: { readonly journal?: string; readonly trace?: Trace },
  { path, input = '--out', report }: RunFolder,
): Promise<void> {
  makeOutputFolder(path, input);
  const texts = reportTexts(record, trace);
  const copy = join(path, JOURNAL);
  const copies = journal !== undefined && !(isFile(copy) && isSame(copy, journal));
  const replaced = Object.entries(texts)
    .filter(([name, text]) => isFile(join(path, name)) && readFileSync(join(path, name), 'utf8') !== text)
    .map(([name]) => name);
  const kept = keepEarlier(path, copies ? [...replaced, JOURNAL] : replaced, new Date());
  if (kept !== undefined) report(kept);
  await writeTexts(texts, path);
  if (!copies) return;
  try {
    copyFileSync(journal, copy);
  } catch (error) {
    throw new ReportError(`The journal ${journal} cannot be copied to ${copy}: ${fileTrouble(error)}.`);
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** A run that is judged again in its own folder has its journal there, and may still be writing it. */
const isSame = (one: string, other: string): boolean =>
  realpathSync(one) === realpathSync(other) || fileDigest(one) === fileDigest(other);

export const reportsLine = (folder: string): string =>
  `${join(folder, 'report.html')} (also ${REPORTS.filter((name) => name !== 'report.html').join(', ')})`;
