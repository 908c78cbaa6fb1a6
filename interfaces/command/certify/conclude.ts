import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../../kernel/basics/user-error.ts';
import type { Baseline } from '../../../kernel/findings/baseline.ts';
import { gateOf } from '../../../kernel/findings/gate.ts';
import type { RunRecord } from '../../../kernel/findings/record.ts';
import { writeBaseline } from '../../../reports/baseline/write.ts';
import { renderJson } from '../../../reports/json.ts';
import { reportedOf } from '../../../reports/outcome.ts';
import { pageCommand } from '../../../reports/page-command.ts';
import { JOURNAL, reportsLine, writeRunFolder } from '../../../reports/run-folder.ts';
import { renderVerdict } from '../../../reports/verdict.ts';
import { judgeJournal } from '../../../suites/service/judge-journal.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { folderAt } from '../run-folder.ts';
import type { OutputFormat, Terminal } from '../terminal.ts';
import { messagesOf, print } from '../terminal.ts';
import { annotations, appendJobSummary } from './github.ts';

/** How the record of a run is presented. */
export interface PresentedRun {
  readonly folder: string;
  readonly format: OutputFormat;
  /** The path of a baseline to write from the record. */
  readonly baselineWrite?: string | undefined;
}

/** A journal to judge, and where the reports go. */
export interface RecordedRun extends PresentedRun {
  /** The path of the journal. */
  readonly journal: string;
  readonly strict: boolean;
  /** What is known of the target's violations; undefined where the user names no baseline. */
  readonly baseline?: Baseline | undefined;
  /** What is known of the run besides its journal. */
  readonly completed?: (record: RunRecord) => RunRecord;
}

/**
 * Judges a journal and writes its reports.
 * @throws {JournalError | ReportError | UserError} when a file cannot be read, moved or written.
 */
export async function judgeAndReport(run: RecordedRun, terminal: Terminal): Promise<RunRecord> {
  const judged = await judgeJournal(run.journal, run);
  const record = run.completed?.(judged) ?? judged;
  await writeRunFolder(record, run, folderAt(run.folder, terminal));
  return record;
}

/**
 * Judges a journal, writes its reports and prints the verdict, for a run that has just ended as for an old one.
 * @throws {UserError} when no run was possible (not the service, a rejected key): the reports are written.
 */
export async function conclude(
  run: RecordedRun,
  terminal: Terminal,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const record = await judgeAndReport(run, terminal);
  return present(record, run, terminal, env);
}

/**
 * Prints the verdict of a record whose reports are written.
 * @throws {UserError} when no run was possible, as the headline says.
 */
export function present(
  record: RunRecord,
  run: PresentedRun,
  terminal: Terminal,
  env: NodeJS.ProcessEnv,
): ExitCode {
  const trouble = appendJobSummary(record, env);
  if (trouble !== undefined) terminal.err.write(`${trouble}\n`);
  printVerdict(record, run, terminal, env);
  const { headline } = record;
  const gate = gateOf(record);
  if (gate === 'no-run' && headline !== undefined) throw new UserError(`${headline.text} ${headline.fix}`);
  if (run.baselineWrite !== undefined) {
    print(messagesOf(terminal, run.format), writeBaseline(record, run.baselineWrite));
  }
  return EXIT[gate];
}

/** The verdict for a person, or the record as JSON and nothing else on standard output. */
function printVerdict(
  record: RunRecord,
  { format, folder }: PresentedRun,
  terminal: Terminal,
  env: NodeJS.ProcessEnv,
): void {
  if (format === 'json') {
    print(terminal, renderJson(record).trimEnd());
    return;
  }
  print(
    terminal,
    ...annotations(record, env),
    renderVerdict(record, terminal).trimEnd(),
    '',
    `Report:  ${reportsLine(folder)}`,
    ...recordedLines(folder),
    ...explainLine(record),
  );
}

/** Where a reader finds what was recorded; k6 writes its own dashboard only where a run was long enough for it. */
const recordedLines = (folder: string): readonly string[] =>
  [
    ['Journal: ', JOURNAL],
    ['k6:      ', 'k6-dashboard.html'],
  ].flatMap(([name, file = '']) => (existsSync(join(folder, file)) ? [`${name}${join(folder, file)}`] : []));

/** Where a reader finds more on a finding, by the example of the first one. */
function explainLine(record: RunRecord): readonly string[] {
  const { fail, inconclusive, warn } = reportedOf(record);
  const [first] = [...fail, ...inconclusive, ...warn];
  return first === undefined
    ? []
    : [`Explain: ${pageCommand(first.id)} (how it is judged, what that cannot see, how to fix it)`];
}
