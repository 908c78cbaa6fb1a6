import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../../kernel/basics/errors.ts';
import { isKnown } from '../../../kernel/findings/finding.ts';
import { partsOf } from '../../../kernel/findings/finding-text.ts';
import type { Baseline } from '../../../kernel/findings/gate.ts';
import { gateOf } from '../../../kernel/findings/gate.ts';
import type { RunRecord } from '../../../kernel/findings/record.ts';
import { writeBaseline } from '../../../reports/baseline.ts';
import { renderJson } from '../../../reports/files.ts';
import { bounded, visibleLine } from '../../../reports/foreign-text.ts';
import { fixOf, groupsOf, reportedOf, tallyOf } from '../../../reports/outcome.ts';
import { pageCommand } from '../../../reports/page-command.ts';
import { renderSummary } from '../../../reports/summary.ts';
import { renderVerdict } from '../../../reports/verdict.ts';
import { JOURNAL, reportsLine, writeRunFolder } from '../../../reports/write.ts';
import { judgeJournal } from '../../../suites/service/judge-journal.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { folderAt } from '../folder.ts';
import type { OutputFormat, Terminal } from '../terminal.ts';
import { messagesOf, print } from '../terminal.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The most characters of one annotation; the summary and the report have the complete text. */
const TEXT_LIMIT = 1000;

/**
 * The annotations that GitHub Actions shows for a job, as workflow commands to print: the headline of the record, then
 * one annotation for each cause and for each violation without a common cause, a warning where a baseline knows it. Empty outside GitHub Actions.
 */
export function annotations(record: RunRecord, env: Environment): readonly string[] {
  if (env['GITHUB_ACTIONS'] !== 'true') return [];
  const { headline, causes } = record;
  return [
    ...(headline === undefined ? [] : [annotation(headline.kind, `${headline.text} ${headline.fix}`)]),
    ...groupsOf(tallyOf(record).fail, causes).map(({ cause, findings }) => {
      const title = findings.map(({ id }) => id).join(', ');
      const [first] = findings;
      const parts = first === undefined ? [] : partsOf(first).map(({ label, text }) => `${label}: ${text}`);
      const fix = first === undefined ? undefined : fixOf(first, causes);
      const texts = [cause?.title, ...parts, fix === undefined ? undefined : `Fix: ${fix}`];
      const level = findings.every(isKnown) ? 'warning' : 'error';
      return annotation(title, texts.filter((text) => text !== undefined).join(' '), level);
    }),
  ];
}

const annotation = (title: string, text: string, level: 'error' | 'warning' = 'error'): string =>
  `::${level} title=${escapedProperty(title)}::${escapedData(visibleLine(bounded(text, TEXT_LIMIT)))}`;

/**
 * Adds `summary.md` to the job summary of GitHub Actions.
 * @returns a sentence when it could not be added; the verdict counts nevertheless.
 */
function appendJobSummary(record: RunRecord, env: Environment): string | undefined {
  const path = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (env['GITHUB_ACTIONS'] !== 'true' || path === '') return undefined;
  try {
    appendFileSync(path, renderSummary(record));
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `The job summary could not be written to GITHUB_STEP_SUMMARY: ${reason}.`;
  }
}

/** The value of a workflow command, escaped as the runner expects. */
const escapedData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** A property of a workflow command, escaped as the runner expects. */
const escapedProperty = (text: string): string =>
  escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

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
