import { join } from 'node:path';
import { judgeClient } from '../../clients/judging/index.ts';
import { readClientJournal } from '../../clients/run/journal-reader.ts';
import { writeTexts } from '../../reports/files.ts';
import { tame } from '../../reports/index.ts';
import { jsonText } from '../../reports/json.ts';
import type { RecordedRun } from '../certify/conclude.ts';
import { copyJournal } from '../certify/conclude.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { makeFolder } from '../folder.ts';
import type { Terminal } from '../terminal.ts';
import { columns, print } from '../terminal.ts';

/** Judges the journal of a client, writes its report and prints the verdicts, for a run that has just ended as for an old one. */
export async function concludeClient(
  { journal, folder, specification, strict }: RecordedRun,
  terminal: Terminal,
): Promise<ExitCode> {
  const record = judgeClient(readClientJournal(journal), specification, { strict });
  makeFolder(folder);
  await writeTexts({ 'report.json': jsonText(record) }, folder);
  copyJournal({ journal, folder, specification, strict });
  print(
    terminal,
    ...columns(record.requirements.map(({ id, verdict, because }) => [id, verdict, tame(because)])),
    ...record.observations.map(({ id, value }) => `${id}  ${tame(value)}`),
    ...record.remarks.map(tame),
    '',
    `Report:  ${join(folder, 'report.json')}`,
    `Journal: ${join(folder, 'journal.ndjson')}`,
  );
  return EXIT[record.outcome];
}
