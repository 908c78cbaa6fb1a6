import { Command } from 'commander';
import { withOptions } from '../../options/command-line.ts';
import type { CommandOptions } from '../../options/table.ts';
import type { Judged, Results } from '../../run/judging.ts';
import type { EndWith, ExitCode } from '../exit-code.ts';
import type { Recorded } from '../reports/recorded.ts';
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
  options: JudgeOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { readJudging } = await import('../../run/judging.ts');
  const { printArchive, recordedAt } = await import('../reports/recorded.ts');
  const recorded = await recordedAt(paths);
  const { out, format } = options;
  if (format === 'har') return printArchive(recorded, terminal);
  const results = { folder: out ?? recorded.folder, ...readJudging(options), format };
  const { report } = await import('../report.ts');
  return report(await judged(recorded, paths, results), results, terminal, process.env);
}

async function judged(
  recorded: Recorded,
  paths: readonly string[],
  results: Results,
): Promise<readonly Judged[]> {
  if (recorded.kind === 'load') {
    const { judgeLoadAgain } = await import('../load/judge-load.ts');
    return [await judgeLoadAgain(paths, results)];
  }
  const { journal } = recorded;
  if (recorded.kind === 'certify-client') {
    const { judgeRecordedClient } = await import('../clients/judge-client.ts');
    return judgeRecordedClient({ ...results, journal });
  }
  const { judgeCertification } = await import('../certify/judge-certification.ts');
  return [await judgeCertification({ ...results, journal })];
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
