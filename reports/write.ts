import type { RunRecord } from '../kernel/findings/record.ts';
import type { Trace } from '../load/model/sample.ts';
import { renderBadgeJson, renderBadgeSvg } from './badge.ts';
import { renderCtrf } from './ctrf.ts';
import { writeTexts } from './files.ts';
import { renderHtml } from './html/page.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderLoadHtml } from './load/html/page.ts';
import { renderSummary } from './summary.ts';

/** `report.html`. @param trace the samples of a load run, for its charts. */
export const renderPage = (record: RunRecord, trace: Trace = NO_SAMPLES): string =>
  record.subject === 'load' ? renderLoadHtml(record, trace) : renderHtml(record);

const NO_SAMPLES: Trace = { samples: [], events: [] };

/** The reports of a run by file name. */
const RENDERERS = {
  'report.json': renderJson,
  'report.html': renderPage,
  'junit.xml': renderJunit,
  'summary.md': renderSummary,
  'ctrf.json': renderCtrf,
  'badge.svg': renderBadgeSvg,
  'badge.json': renderBadgeJson,
} as const satisfies Readonly<Record<string, (record: RunRecord, trace?: Trace) => string>>;

/** The file names of the reports of a run. */
export const REPORTS: readonly string[] = Object.keys(RENDERERS);

/** The texts of the reports of a run, by file name. */
export const reportTexts = (record: RunRecord, trace?: Trace): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(RENDERERS).map(([name, render]) => [name, render(record, trace)]));

/**
 * Writes the reports of a run into a folder, which is made where it is missing. Each file appears whole or not at all.
 * @param trace the samples of a load run, for its charts.
 * @returns the paths that were written.
 * @throws {ReportError} when the folder cannot be written to.
 */
export const writeReports = (record: RunRecord, folder: string, trace?: Trace): Promise<readonly string[]> =>
  writeTexts(reportTexts(record, trace), folder);
