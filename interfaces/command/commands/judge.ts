import { dirname } from 'node:path';
import { Command } from 'commander';
import type { EndWith, ExitCode } from '../exit-code.ts';
import type { OutputFormat, Terminal } from '../terminal.ts';
import { withResultOptions } from './options.ts';

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
    .argument('<journal>', 'journal.ndjson of a run of certify or certify-client')
    .option(
      '--out <dir>',
      'folder for the reports; other reports there are moved (default: the folder of the journal)',
    )
    .option('--strict', 'count every warning as a violation')
    .addHelpText('after', EXAMPLES)
    .action(async (journal: string, options: JudgeCommandOptions) => {
      endWith(await judgeAgain(journal, options, terminal));
    });
  return withResultOptions(command);
}

/** Everything that judges is loaded here, so that the help appears quickly. */
async function judgeAgain(
  journal: string,
  { out, strict, baseline, baselineWrite, format }: JudgeCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { readBaseline } = await import('../../../reports/baseline/file.ts');
  const { isClientJournal } = await import('../../../suites/client/run/journal-reader.ts');
  const run = {
    journal,
    folder: out ?? dirname(journal),
    strict: strict === true,
    baseline: baseline === undefined ? undefined : readBaseline(baseline),
    baselineWrite,
    format,
  };
  if (isClientJournal(journal)) {
    const { concludeClient } = await import('../clients/conclude-client.ts');
    return concludeClient(run, terminal, process.env);
  }
  const { conclude } = await import('../certify/conclude.ts');
  return conclude(run, terminal, process.env);
}

const EXAMPLES = `
Examples:
  petstore-conformance judge out/RUN/journal.ndjson
  petstore-conformance judge journal.ndjson --strict --out judged-strictly
  petstore-conformance judge journal.ndjson --baseline known.json --format json`;
