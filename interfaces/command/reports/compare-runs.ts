import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../../kernel/basics/errors.ts';
import { isNoRun } from '../../../kernel/findings/gate.ts';
import type { LoadRecord, RunRecord } from '../../../kernel/findings/record.ts';
import type { LoadComparison } from '../../../load/compare/compare.ts';
import type { FigureChange } from '../../../load/compare/measures.ts';
import type { ComparisonTexts, RunComparison } from '../../../reports/compare.ts';
import { compareRecords, comparisonMarkdown, comparisonTexts } from '../../../reports/compare.ts';
import { jsonText } from '../../../reports/files.ts';
import { readReport } from '../../../reports/read.ts';
import { tame } from '../../../reports/terminal.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import { repetitionsIn } from '../load/repeat-run.ts';
import type { Terminal } from '../terminal.ts';
import { columns, print } from '../terminal.ts';

/**
 * Reads runs: the folder or the report of one run, the folder of a repeated load profile, or several of these, separated
 * by commas.
 * @throws {ReportError} when one of them cannot be read.
 */
const readRuns = (text: string): readonly RunRecord[] =>
  (existsSync(text) ? [text] : text.split(',').map((part) => part.trim())).flatMap(runsAt).map(readReport);

/** The repetitions in a folder that has no report of its own; otherwise the path itself. */
function runsAt(path: string): readonly string[] {
  if (!existsSync(path) || !statSync(path).isDirectory() || existsSync(join(path, 'report.json')))
    return [path];
  const names = repetitionsIn(path);
  return names.length === 0 ? [path] : names.map((name) => join(path, name));
}

/** How much worse a figure of a load run may be, unless the user states it; in percent. */
export const DEFAULT_TOLERANCE = '10';

export interface CompareOptions {
  readonly format: 'console' | 'markdown' | 'json';
  /** In percent. */
  readonly tolerance: string;
}

const EXIT_CODES = {
  'not worse': EXIT.conforms,
  worse: EXIT.violates,
  undecided: EXIT.incomplete,
} as const satisfies Record<(RunComparison | LoadComparison)['outcome'], ExitCode>;

/**
 * Compares the runs at two paths, the second with the first, and prints the result: two reports of a service or of a
 * client, or two sets of load runs.
 * @throws {ReportError | UserError} when a path holds no report, the runs are not comparable, or no run was possible.
 */
export async function compareRuns(
  first: string,
  second: string,
  { format, tolerance }: CompareOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const share = parseTolerance(tolerance);
  const sets = [readRuns(first), readRuns(second)] as const;
  const loads = sets.map((set) => set.filter((one) => one.subject === 'load'));
  const [before = [], after = []] = loads;
  const ofLoad = loads.every((set, at) => set.length === sets[at]?.length);
  const { comparison, texts } = ofLoad
    ? await ofSets(before, after, share)
    : ofReports(theReport(sets[0], first), theReport(sets[1], second));
  const inFormat: Readonly<Record<CompareOptions['format'], () => string>> = {
    console: () => consoleLines(texts).join('\n'),
    markdown: () => comparisonMarkdown(texts).trimEnd(),
    json: () => jsonText(comparison).trimEnd(),
  };
  print(terminal, inFormat[format]());
  return EXIT_CODES[comparison.outcome];
}

/** A share from a percentage: 10 is 0.1. */
function parseTolerance(text: string): number {
  const [, percent] = /^(\d{1,4}(?:\.\d{1,3})?) ?%?$/.exec(text) ?? [];
  if (percent !== undefined) return Number(percent) / 100;
  throw new UserError(`--tolerance takes a percentage such as 10, not "${text}".`);
}

/** @throws {UserError} where there are several reports, one of load, or no run was possible. */
function theReport(records: readonly RunRecord[], path: string): RunRecord {
  const [record, ...others] = records;
  if (record === undefined || others.length > 0 || record.subject === 'load')
    throw new UserError(
      `${path} holds ${record?.subject === 'load' ? 'a load run' : 'several runs'}: compare two reports of a service or of a client, or two sets of load runs.`,
    );
  if (!isNoRun(record)) return record;
  throw new UserError(
    `There is nothing to compare with ${path}: ${record.headline?.text ?? 'no run was possible.'}`,
  );
}

async function ofSets(first: readonly LoadRecord[], second: readonly LoadRecord[], tolerance: number) {
  const { compareLoads } = await import('../../../load/compare/compare.ts');
  const comparison = compareLoads(first, second, tolerance);
  return { comparison, texts: loadComparisonTexts(comparison) };
}

function ofReports(first: RunRecord, second: RunRecord) {
  const comparison = compareRecords(first, second);
  return { comparison, texts: comparisonTexts(comparison) };
}

function loadComparisonTexts(compared: LoadComparison): ComparisonTexts {
  const { runs, figures, remarks } = compared;
  const [first, second] = runs.map((count) => (count === 1 ? '' : ` (${count} RUNS)`));
  const rows = figures.map((one) => [
    one.figure,
    one.first,
    one.second,
    one.because === '' ? one.change : `${one.change}: ${one.because}`,
  ]);
  const head = ['FIGURE', `FIRST${first}`, `SECOND${second}`, 'CHANGE'];
  return { head, rows, remarks, closing: closingLine(compared) };
}

function closingLine({ figures, outcome, tolerance, falseAlarmRate, runs }: LoadComparison): string {
  const named = (...changes: readonly FigureChange[]): string =>
    figures
      .filter(({ change }) => changes.includes(change))
      .map(({ figure }) => figure)
      .join(', ');
  const percent = `${Number((tolerance * 100).toFixed(3))} %`;
  const isSingle = Math.max(...runs) === 1;
  switch (outcome) {
    case 'not worse':
      return isSingle
        ? '✓ No verdict is worse.'
        : `✓ No regression: no figure is worse by more than ${percent} and what noise explains.`;
    case 'worse':
      return isSingle
        ? `✗ Regression: ${named('worse')}.`
        : `✗ Regression: ${named('worse')}. Sets of equal runs differ as much in at most ${falseAlarmRate * 100} of 100 comparisons.`;
    case 'undecided':
      return `? Not decided: ${named('undecided', 'inconclusive')}. No other figure is worse.`;
  }
}

/** A comparison for a terminal. */
const consoleLines = ({ head, rows, remarks, closing }: ComparisonTexts): readonly string[] => [
  ...(rows.length === 0 ? [] : [...columns([head, ...rows.map((cells) => cells.map(tame))]), '']),
  ...remarks.map((remark) => `· ${tame(remark)}`),
  closing,
];
