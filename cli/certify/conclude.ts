import { copyFileSync, existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { renderVerdict, writeReports } from '../../reports/index.ts';
import type { Specification } from '../../spec/specification.ts';
import type { RunRecord } from '../../suites/index.ts';
import { JournalError, judge, readJournal } from '../../suites/index.ts';
import type { Baseline } from '../../suites/model/baseline.ts';
import { gateOf, withBaseline } from '../../suites/model/baseline.ts';
import { fileTrouble } from '../../words/file-trouble.ts';
import { UserError } from '../../words/user-error.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { makeFolder } from '../folder.ts';
import type { Terminal } from '../terminal.ts';
import { print } from '../terminal.ts';
import { annotations, appendJobSummary } from './github.ts';
import { writeBaseline } from './write-baseline.ts';

/** A journal to judge, by which specification, and where the reports go. */
export interface RecordedRun {
  /** The path of the journal. */
  readonly journal: string;
  readonly folder: string;
  readonly specification: Specification;
  readonly strict: boolean;
  /** What is known of the target's violations; undefined where the user names no baseline. */
  readonly baseline?: Baseline | undefined;
  /** The path of a baseline to write from the record. */
  readonly baselineWrite?: string | undefined;
}

/** Judges a journal and writes its reports. @throws {JournalError | ReportError} when a file cannot be read or written. */
export async function judgeAndReport(run: RecordedRun): Promise<RunRecord> {
  const { journal, folder, specification, strict, baseline } = run;
  const judged = judge(readJournal(journal), specification, { strict });
  const record = baseline === undefined ? judged : withBaseline(judged, baseline);
  makeFolder(folder);
  await writeReports(record, folder);
  return record;
}

/**
 * Judges a journal, writes its reports and prints the verdict, for a run that has just ended as for an old one.
 * @throws {UserError} when the target is not the service: the reports are written, and there is no verdict.
 */
export async function conclude(
  run: RecordedRun,
  terminal: Terminal,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const record = await judgeAndReport(run);
  copyJournal(run);
  const trouble = appendJobSummary(record, env);
  if (trouble !== undefined) terminal.err.write(`${trouble}\n`);
  print(
    terminal,
    ...annotations(record, env),
    renderVerdict(record, terminal).trimEnd(),
    '',
    `Report:  ${join(run.folder, 'report.html')} (also report.json, junit.xml, summary.md)`,
    `Journal: ${join(run.folder, 'journal.ndjson')}`,
  );
  const { headline } = record;
  if (headline?.kind === 'wrong-target') throw new UserError(`${headline.text} ${headline.fix}`);
  if (run.baselineWrite !== undefined) print(terminal, writeBaseline(record, run.baselineWrite));
  return EXIT[gateOf(record)];
}

/** A folder of reports holds the journal that they rest on. @throws {JournalError} when it cannot be copied there. */
function copyJournal({ journal, folder }: RecordedRun): void {
  const copy = join(folder, 'journal.ndjson');
  try {
    if (existsSync(copy) && realpathSync(copy) === realpathSync(journal)) return;
    copyFileSync(journal, copy);
  } catch (error) {
    throw new JournalError(`The journal ${journal} cannot be copied to ${copy}: ${fileTrouble(error)}.`);
  }
}
