import type { LoadRecord } from '../../load/model/record.ts';
import type { Trace } from '../../load/model/sample.ts';
import { writeTexts } from '../files.ts';
import { jsonText } from '../json.ts';
import { renderLoadBadgeJson, renderLoadBadgeSvg } from './badge.ts';
import { renderLoadCtrf } from './ctrf.ts';
import { renderLoadHtml } from './html/page.ts';
import { renderLoadJunit } from './junit.ts';
import { renderLoadSummary } from './summary.ts';

/** The reports of a load run by file name; all come from the record, the charts from the samples. */
const RENDERERS = {
  'load-report.json': jsonText,
  'load-report.html': renderLoadHtml,
  'junit.xml': renderLoadJunit,
  'summary.md': renderLoadSummary,
  'ctrf.json': renderLoadCtrf,
  'badge.svg': renderLoadBadgeSvg,
  'badge.json': renderLoadBadgeJson,
} as const satisfies Readonly<Record<string, (record: LoadRecord, trace: Trace) => string>>;

/** The file names of the reports of a load run. */
export const LOAD_REPORTS: readonly string[] = Object.keys(RENDERERS);

/** The texts of the reports of a load run, by file name. */
export const loadReportTexts = (record: LoadRecord, trace: Trace): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(RENDERERS).map(([name, render]) => [name, render(record, trace)]));

/**
 * Writes the reports of a load run into a folder, which is created where it is missing. Each file is written completely or not at all.
 * @returns the paths of the files.
 * @throws {ReportError} when the folder cannot be written to.
 */
export const writeLoadReports = (
  record: LoadRecord,
  trace: Trace,
  folder: string,
): Promise<readonly string[]> => writeTexts(loadReportTexts(record, trace), folder);
