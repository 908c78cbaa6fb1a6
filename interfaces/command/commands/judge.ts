import { dirname } from 'node:path';
import { Command } from 'commander';
import { withOptions } from '../../options/command-line.ts';
import type { CommandOptions } from '../../options/table.ts';
import type { EndWith, ExitCode } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';

type JudgeOptions = CommandOptions<'judge'>;

/** `judge`: judges a recorded run again, offline. */
export function judgeCommand(terminal: Terminal, endWith: EndWith): Command {
  return withOptions(new Command('judge'), 'judge')
    .argument('<journal>', 'journal.ndjson of a run of certify or certify-client')
    .addHelpText('after', EXAMPLES)
    .action(async (journal: string, options: JudgeOptions) => {
      endWith(await judgeAgain(journal, options, terminal));
    });
}

/** Everything that judges is loaded here, so that the help appears quickly. */
async function judgeAgain(
  journal: string,
  { out, strict, baseline, baselineWrite, format }: JudgeOptions,
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
