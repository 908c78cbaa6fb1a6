import type { CommandOptions } from '../options/table.ts';
import type { Judged, Results } from '../run/judging.ts';
import { readJudging } from '../run/judging.ts';
import type { ExitCode } from './exit-code.ts';
import { report } from './report.ts';
import type { Recorded } from './reports/recorded.ts';
import { printArchive, recordedAt } from './reports/recorded.ts';
import type { Terminal } from './terminal.ts';

/** Judges a recorded run again. What judges its kind is loaded once the kind is known. */
export async function judgeAgain(
  paths: readonly string[],
  options: CommandOptions<'judge'>,
  terminal: Terminal,
): Promise<ExitCode> {
  const recorded = await recordedAt(paths);
  const { out, format } = options;
  if (format === 'har') return printArchive(recorded, terminal);
  const results = { folder: out ?? recorded.folder, ...readJudging(options), format };
  return report(await judged(recorded, paths, results), results, terminal, process.env);
}

async function judged(
  { kind, journal }: Recorded,
  paths: readonly string[],
  results: Results,
): Promise<readonly Judged[]> {
  if (kind === 'load') {
    const { judgeLoadAgain } = await import('./load/judge-load.ts');
    return [await judgeLoadAgain(paths, results)];
  }
  if (kind === 'certify-client') {
    const { judgeRecordedClient } = await import('./clients/judge-client.ts');
    return judgeRecordedClient({ ...results, journal });
  }
  const { judgeJournal } = await import('../../suites/service/judge-journal.ts');
  return [{ record: await judgeJournal(journal, results), folder: results.folder, journal }];
}
