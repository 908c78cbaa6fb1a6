import { Command } from 'commander';
import { countOf } from '../../../kernel/basics/text.ts';
import { printOrWrite } from '../folder.ts';
import type { Terminal } from '../terminal.ts';

/** `har`: a journal as an HTTP archive. */
export function harCommand(terminal: Terminal): Command {
  return new Command('har')
    .argument('<journal>', 'journal.ndjson of a run')
    .option('--out <file>', 'file for the archive, which must not exist (default: standard output)')
    .addHelpText('after', EXAMPLES)
    .action(async (journal: string, { out }: { readonly out?: string }) => {
      const { text, entries } = await archiveOf(journal);
      printOrWrite(text, out, `Archive of ${countOf(entries, 'exchange')}`, terminal);
    });
}

/** The HTTP archive of a journal, and how many exchanges it has. @throws {JournalError} when the file is no journal. */
async function archiveOf(journal: string): Promise<{ readonly text: string; readonly entries: number }> {
  const { JournalError } = await import('../../../suites/service/wire/journal-file.ts');
  const { readJournal } = await import('../../../suites/service/wire/journal-reader.ts');
  const { renderHar } = await import('../../../reports/har.ts');
  const { lines } = readJournal(journal);
  const [run] = lines;
  if (run?.kind !== 'run') throw new JournalError(`${journal} does not begin with the line of its run.`);
  const exchanges = lines.filter((line) => line.kind === 'exchange');
  return { text: renderHar(run, exchanges), entries: exchanges.length };
}

const EXAMPLES = `
Examples:
  petstore-conformance har out/RUN/journal.ndjson --out run.har
  petstore-conformance har out/RUN/journal.ndjson | jq '.log.entries[].response.status'`;
