import { Command } from 'commander';
import { writeNewFile } from '../folder.ts';
import type { Terminal } from '../terminal.ts';
import { counted, print } from '../terminal.ts';

/** `har`: a journal as an HTTP archive. */
export function harCommand(terminal: Terminal): Command {
  return new Command('har')
    .argument('<journal>', 'journal.ndjson of a run')
    .option('--out <file>', 'file for the archive, which must not exist (default: standard output)')
    .addHelpText('after', EXAMPLES)
    .action(async (journal: string, { out }: { readonly out?: string }) => {
      const { archiveOf } = await import('../reports/archive-of.ts');
      const { text, entries } = archiveOf(journal);
      if (out === undefined) {
        print(terminal, text.trimEnd());
        return;
      }
      writeNewFile(out, text);
      print(terminal, `Archive of ${counted(entries, 'exchange')}: ${out}`);
    });
}

const EXAMPLES = `
Examples:
  petstore-conformance har out/RUN/journal.ndjson --out run.har
  petstore-conformance har out/RUN/journal.ndjson | jq '.log.entries[].response.status'`;
