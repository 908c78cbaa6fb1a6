import { dirname } from 'node:path';
import { Command } from 'commander';
import { isClientJournal } from '../../clients/run/journal-reader.ts';
import { loadSpecification } from '../../spec/specification.ts';
import { conclude } from '../certify/conclude.ts';
import { concludeClient } from '../clients/conclude-client.ts';
import type { EndWith } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';

interface JudgeCommandOptions {
  readonly out?: string;
  readonly strict?: boolean;
}

/** `judge`: judges a recorded run again, offline. */
export function judgeCommand(terminal: Terminal, endWith: EndWith): Command {
  return new Command('judge')
    .description('judge a recorded run again, offline')
    .argument('<journal>', 'journal.ndjson of a run of certify or certify-client')
    .option('--out <dir>', 'folder for the reports (default: the folder of the journal)')
    .option('--strict', 'count every warning as a violation')
    .addHelpText('after', EXAMPLES)
    .action(async (journal: string, { out, strict }: JudgeCommandOptions) => {
      const specification = await loadSpecification();
      const folder = out ?? dirname(journal);
      const run = { journal, folder, specification, strict: strict === true };
      endWith(
        isClientJournal(journal)
          ? await concludeClient(run, terminal)
          : await conclude(run, terminal, process.env),
      );
    });
}

const EXAMPLES = `
Examples:
  petstore-conformance judge out/RUN/journal.ndjson
  petstore-conformance judge journal.ndjson --strict --out judged-strictly`;
