import { dirname } from 'node:path';
import { Command } from 'commander';
import { isClientJournal } from '../../clients/run/journal-reader.ts';
import { readBaseline } from '../../reports/baseline/file.ts';
import { loadSpecification } from '../../spec/specification.ts';
import { conclude } from '../certify/conclude.ts';
import { concludeClient } from '../clients/conclude-client.ts';
import type { EndWith } from '../exit-code.ts';
import type { OutputFormat, Terminal } from '../terminal.ts';
import { resultOptions } from './options.ts';

interface JudgeCommandOptions {
  readonly out?: string;
  readonly strict?: boolean;
  readonly baseline?: string;
  readonly baselineWrite?: string;
  readonly format: OutputFormat;
}

/** `judge`: judges a recorded run again, offline. */
export function judgeCommand(terminal: Terminal, endWith: EndWith): Command {
  const command = new Command('judge')
    .description('judge a recorded run again, offline')
    .argument('<journal>', 'journal.ndjson of a run of certify or certify-client')
    .option(
      '--out <dir>',
      'folder for the reports; other reports there are moved (default: the folder of the journal)',
    )
    .option('--strict', 'count every warning as a violation')
    .addHelpText('after', EXAMPLES)
    .action(
      async (journal: string, { out, strict, baseline, baselineWrite, format }: JudgeCommandOptions) => {
        const specification = await loadSpecification();
        const folder = out ?? dirname(journal);
        const known = baseline === undefined ? undefined : readBaseline(baseline);
        const judging = { strict: strict === true, baseline: known, baselineWrite, format };
        const run = { journal, folder, specification, ...judging };
        endWith(
          isClientJournal(journal)
            ? await concludeClient(run, terminal, process.env)
            : await conclude(run, terminal, process.env),
        );
      },
    );
  for (const option of resultOptions) command.addOption(option);
  return command;
}

const EXAMPLES = `
Examples:
  petstore-conformance judge out/RUN/journal.ndjson
  petstore-conformance judge journal.ndjson --strict --out judged-strictly
  petstore-conformance judge journal.ndjson --baseline known.json --format json`;
