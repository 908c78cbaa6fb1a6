import { writeBaseline } from '../../reports/baseline/write.ts';
import { reportsLine, writeRunFolder } from '../../reports/run-folder.ts';
import type { JudgingSettings } from './settings.ts';
import { judgedRun } from './verdicts.ts';

/**
 * Judges the journal of a run and writes its reports, and a copy of the journal, into the folder of the run. Other
 * reports in it are moved and not overwritten.
 * @param print gets sentences that say what was written, and where earlier files are.
 * @throws {UserError} when a file cannot be read, moved or written.
 */
export async function writeRunReports(
  settings: JudgingSettings,
  print: (sentence: string) => void,
): Promise<void> {
  const { folder, journal, baselineWrite } = settings;
  const record = await judgedRun(settings);
  await writeRunFolder(
    record,
    { journal },
    { path: folder, input: 'PETSTORE_OUT or petstore.out', report: print },
  );
  if (baselineWrite !== undefined) print(writeBaseline(record, baselineWrite));
  print(`Report: ${reportsLine(folder)}`);
}
