import { judgeClient } from '../../clients/judging/index.ts';
import { readClientJournal } from '../../clients/run/journal-reader.ts';
import { writeReports } from '../../reports/index.ts';
import type { RecordedRun } from '../certify/conclude.ts';
import { present } from '../certify/conclude.ts';
import type { ExitCode } from '../exit-code.ts';
import { makeFolder } from '../folder.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Judges the journal of a client, writes its reports and prints the verdict, for a run that has just ended as for an old one.
 * @throws {UserError} when the client sent nothing: the reports are written, and there is no verdict.
 */
export async function concludeClient(
  run: RecordedRun,
  terminal: Terminal,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const { journal, folder, specification, strict } = run;
  const record = judgeClient(readClientJournal(journal), specification, { strict });
  makeFolder(folder);
  await writeReports(record, folder);
  return present(record, run, terminal, env);
}
