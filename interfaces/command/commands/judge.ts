import { Command } from 'commander';
import { withOptions } from '../../options/command-line.ts';
import type { CommandOptions } from '../../options/table.ts';
import type { EndWith, ExitCode } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';

type JudgeOptions = CommandOptions<'judge'>;

/** `judge`: judges a recorded run again, offline. */
export function judgeCommand(terminal: Terminal, endWith: EndWith): Command {
  return withOptions(new Command('judge'), 'judge')
    .argument(
      '<run...>',
      'folder of a run, or its journal.ndjson; of load also the folders and files of its runners and its manifests',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], options: JudgeOptions) => {
      endWith(await judgeAgain(paths, options, terminal));
    });
}

/** Everything that judges is loaded here, so that the help appears quickly. */
async function judgeAgain(
  paths: readonly string[],
  { out, strict, baseline, baselineWrite, format }: JudgeOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { readBaseline } = await import('../../../reports/baseline.ts');
  const { recordedAt } = await import('../reports/write-matrix.ts');
  const recorded = await recordedAt(paths);
  if (format === 'har') {
    const { printArchive } = await import('../reports/print-archive.ts');
    return printArchive(recorded, terminal);
  }
  const options = {
    folder: out ?? recorded.folder,
    baseline: baseline === undefined ? undefined : readBaseline(baseline),
    baselineWrite,
    format,
  };
  if (recorded.kind === 'load') {
    const { judgeLoadAgain } = await import('../load/conclude-load.ts');
    return judgeLoadAgain(paths, options, terminal);
  }
  const run = { ...options, journal: recorded.journal, strict: strict === true };
  if (recorded.kind === 'certify-client') {
    const { concludeClient } = await import('../clients/certify-client.ts');
    return concludeClient(run, terminal, process.env);
  }
  const { conclude } = await import('../certify/conclude.ts');
  return conclude(run, terminal, process.env);
}

const EXAMPLES = `
The samples of several runners of a load run are judged together: one verdict, one report. A
part that is missing or cut is named, and what rests on it is inconclusive; judge again when it
has arrived. A part that is given twice counts once. A run of several runners needs the
load-run.json that "load manifest" wrote.

Examples:
  petstore-conformance judge out/RUN
  petstore-conformance judge journal.ndjson --strict --out judged-strictly
  petstore-conformance judge out/RUN --baseline known.json --format json
  petstore-conformance judge out/RUN --format har > run.har
  petstore-conformance judge k8s samples --out out/RUN`;
