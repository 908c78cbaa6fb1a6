import { join } from 'node:path';
import type { ServiceRecord } from '../../../kernel/findings/record.ts';
import { writeRunFolder } from '../../../reports/run-folder.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { judgeClient } from '../../../suites/client/judging/judge-client.ts';
import { readClientJournal } from '../../../suites/client/run/journal-reader.ts';
import type { RecordedRun } from '../certify/conclude.ts';
import { present } from '../certify/conclude.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { folderAt } from '../run-folder.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';
import { watchedServiceRecord } from './watched-service.ts';

/**
 * Judges the journal of a client, writes its reports and prints the verdict, for a run that has just ended as for an old one.
 * @throws {UserError} when the client sent nothing: the reports are written, and there is no verdict.
 */
export async function concludeClient(
  run: RecordedRun,
  terminal: Terminal,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const { journal, strict } = run;
  const specification = await loadSpecification();
  const contents = readClientJournal(journal);
  const record = judgeClient(contents, specification, { strict });
  await writeRunFolder(record, run, folderAt(run.folder, terminal));
  const service = watchedServiceRecord(contents.lines, specification, strict);
  const code = service === undefined ? EXIT.conforms : await concludeService(service, run, terminal, env);
  const client = present(record, run, terminal, env);
  return code === EXIT.violates ? code : client;
}

/** The reports of the service behind a watched client, in a folder of their own. */
async function concludeService(
  record: ServiceRecord,
  run: RecordedRun,
  terminal: Terminal,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const ofService = { ...run, folder: join(run.folder, 'service') };
  await writeRunFolder(record, ofService, folderAt(ofService.folder, terminal));
  print(terminal, 'The service:', '');
  const code = present(record, ofService, terminal, env);
  print(terminal, '', 'The client:', '');
  return code;
}
