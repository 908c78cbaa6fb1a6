import { join } from 'node:path';
import { writeBaseline } from '../../reports/baseline/write.ts';
import { copyJournal } from '../../reports/copy-journal.ts';
import { differingNames, keepEarlier } from '../../reports/earlier-files.ts';
import { REPORTS, reportTexts, writeReports } from '../../reports/index.ts';
import type { JudgingSettings } from './settings.ts';
import { JOURNAL } from './settings.ts';
import { judgedRun } from './verdicts.ts';

/**
 * Judges the journal of a run and writes its reports, and a copy of the journal, into the folder of the run. Other
 * reports in it are moved and not overwritten.
 * @returns sentences that say what was written, and where earlier files are.
 * @throws {UserError} when a file cannot be read, moved or written.
 */
export async function writeRunReports(settings: JudgingSettings): Promise<readonly string[]> {
  const { folder, journal, baselineWrite } = settings;
  const record = await judgedRun(settings);
  const replaced = differingNames(folder, reportTexts(record), { [JOURNAL]: journal });
  const kept = keepEarlier(folder, replaced, new Date());
  await writeReports(record, folder);
  copyJournal(journal, join(folder, JOURNAL));
  const others = REPORTS.filter((name) => name !== 'report.html');
  return [
    ...(kept === undefined ? [] : [kept]),
    ...(baselineWrite === undefined ? [] : [writeBaseline(record, baselineWrite)]),
    `Report: ${join(folder, 'report.html')} (also ${others.join(', ')})`,
  ];
}
