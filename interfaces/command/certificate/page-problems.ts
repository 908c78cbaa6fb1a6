import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../../../kernel/basics/user-file.ts';
import { ReportError } from '../../../reports/files.ts';

/** A page for a reader and the report for programs that it shows, as paths within the folder of a run. */
interface ReportPage {
  readonly page: string;
  readonly report: string;
}

/**
 * Why a page does not show what its report states, as a sentence: of the same report, a version of this program always
 * makes the same page. Nothing where the folder has no page.
 * @param rendered the page that this version makes of the report.
 * @throws {UserError} when the page cannot be read.
 */
export function pageProblems(
  folder: string,
  { page, report }: ReportPage,
  rendered: () => string,
): readonly string[] {
  const path = join(folder, page);
  if (!existsSync(path)) return [];
  const shown = readRegularFile(path, 'The page');
  try {
    return shown === rendered() ? [] : [`${page} shows something else than what ${report} states.`];
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    return [`${report} breaks the schema of reports, so ${page} cannot be compared with it.`];
  }
}
