import type { RunRecord } from '../suites/model/record.ts';
import { writeTexts } from './files.ts';
import { renderHtml } from './html/page.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderSummary } from './summary.ts';

/**
 * Writes `report.json`, `report.html`, `junit.xml` and `summary.md` into a folder, which is made where it is
 * missing. Each file appears whole or not at all.
 * @returns the paths that were written.
 * @throws {ReportError} when the folder cannot be written to.
 */
export const writeReports = (record: RunRecord, folder: string): Promise<readonly string[]> =>
  writeTexts(
    {
      'report.json': renderJson(record),
      'report.html': renderHtml(record),
      'junit.xml': renderJunit(record),
      'summary.md': renderSummary(record),
    },
    folder,
  );
