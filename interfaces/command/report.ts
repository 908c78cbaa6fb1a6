import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../kernel/basics/errors.ts';
import { COMMAND } from '../../kernel/basics/text.ts';
import { isKnown } from '../../kernel/findings/finding.ts';
import { partsOf } from '../../kernel/findings/finding-text.ts';
import { gateOf } from '../../kernel/findings/gate.ts';
import type { RunRecord } from '../../kernel/findings/record.ts';
import { writeBaseline } from '../../reports/baseline.ts';
import { renderJson } from '../../reports/files.ts';
import { fixOf, groupsOf, reportedOf, tallyOf } from '../../reports/outcome.ts';
import { JOURNAL } from '../../reports/run-folder.ts';
import { renderSummary } from '../../reports/summary.ts';
import { renderVerdict } from '../../reports/verdict.ts';
import { reportsLine, writeRunFolder } from '../../reports/write.ts';
import { bounded, visibleLine } from '../../reports/written.ts';
import type { Judged, Results } from '../run/judging.ts';
import type { ExitCode } from './exit-code.ts';
import { EXIT } from './exit-code.ts';
import type { Terminal } from './terminal.ts';
import { messagesOf, print } from './terminal.ts';

/** The most characters of one annotation; the summary and the report have the complete text. */
const TEXT_LIMIT = 1000;

/**
 * The annotations that GitHub Actions shows for a job, as workflow commands to print: the headline of the record, then
 * one annotation for each cause and for each violation without a common cause, a warning where a baseline knows it. Empty outside GitHub Actions.
 */
export function annotations(record: RunRecord, env: NodeJS.ProcessEnv): readonly string[] {
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
function appendJobSummary(record: RunRecord, env: NodeJS.ProcessEnv): string | undefined {
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

/**
 * Writes the reports of what was judged and prints the verdicts, for a run that has just ended as for an old one.
 * @returns the exit code of the last record, or that of a violation in another one.
 * @throws {UserError | InterruptedError} when there is no verdict (not the service, a rejected key, a lost target): the reports are written.
 * @throws {ReportError} when a file cannot be read, moved or written.
 */
export async function report(
  judged: readonly Judged[],
  results: Results,
  terminal: Terminal,
  env: NodeJS.ProcessEnv,
): Promise<ExitCode> {
  const tell = (sentence: string): void => void terminal.err.write(`${sentence}\n`);
  for (const one of judged) await writeRunFolder(one.record, one, { path: one.folder, report: tell });
  const codes = judged.map((one) => {
    const { record, folder, heading, failure } = one;
    if (heading !== undefined) print(terminal, ...heading);
    if (failure?.unseen === true) throw failure.error;
    const code = present(record, { ...results, folder }, terminal, env);
    if (failure !== undefined) throw failure.error;
    return code;
  });
  return codes.find((code) => code === EXIT.violates) ?? codes.at(-1) ?? EXIT.conforms;
}

/**
 * Prints the verdict of a record whose reports are written: for a person, or the record as JSON and nothing else on
 * standard output. @throws {UserError} when no run was possible, as the headline says.
 */
function present(record: RunRecord, run: Results, terminal: Terminal, env: NodeJS.ProcessEnv): ExitCode {
  const trouble = appendJobSummary(record, env);
  if (trouble !== undefined) terminal.err.write(`${trouble}\n`);
  const { format, folder } = run;
  const shown =
    format === 'json'
      ? [renderJson(record).trimEnd()]
      : [
          ...annotations(record, env),
          renderVerdict(record, terminal).trimEnd(),
          '',
          `Report:  ${reportsLine(folder)}`,
          ...recordedLines(folder),
          ...explainLine(record),
        ];
  print(terminal, ...shown);
  const { headline } = record;
  const gate = gateOf(record);
  if (gate === 'no-run' && headline !== undefined) throw new UserError(`${headline.text} ${headline.fix}`);
  if (run.baselineWrite !== undefined) {
    print(messagesOf(terminal, format), writeBaseline(record, run.baselineWrite));
  }
  return EXIT[gate];
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
    : [`Explain: ${COMMAND} explain ${first.id} (how it is judged, what that cannot see, how to fix it)`];
}
