import { UserError } from '../../../kernel/basics/user-error.ts';
import { isNoRun } from '../../../kernel/findings/gate.ts';
import type { RunRecord } from '../../../kernel/findings/record.ts';
import type { RunComparison } from '../../../reports/compare/compare.ts';
import { compareRecords } from '../../../reports/compare/compare.ts';
import {
  changeGroups,
  comparisonSentence,
  renderComparison,
  verdictText,
  withReasons,
} from '../../../reports/compare/texts.ts';
import { jsonText } from '../../../reports/json.ts';
import { readReport } from '../../../reports/read.ts';
import { tame } from '../../../reports/terminal.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { columns, print } from '../terminal.ts';

const EXIT_CODES = {
  'not worse': EXIT.conforms,
  worse: EXIT.violates,
  undecided: EXIT.incomplete,
} as const satisfies Record<RunComparison['outcome'], ExitCode>;

/**
 * Compares the reports at two paths, the second with the first, and prints the result.
 * @param format `console`, `markdown` or `json`.
 * @throws {ReportError | UserError} when a path holds no report of a certification run, or no run was possible.
 */
export function compareReports(first: string, second: string, format: string, terminal: Terminal): ExitCode {
  const comparison = compareRecords(reportOfRun(first), reportOfRun(second));
  const texts: Readonly<Record<string, () => string>> = {
    console: () => consoleLines(comparison).join('\n'),
    markdown: () => renderComparison(comparison).trimEnd(),
    json: () => jsonText(comparison).trimEnd(),
  };
  print(terminal, texts[format]?.() ?? '');
  return EXIT_CODES[comparison.outcome];
}

/** @throws {UserError} where no run was possible, so that there is nothing to compare. */
function reportOfRun(path: string): RunRecord {
  const record = readReport(path);
  if (!isNoRun(record)) return record;
  throw new UserError(
    `There is nothing to compare with ${path}: ${record.headline?.text ?? 'no run was possible.'}`,
  );
}

function consoleLines(comparison: RunComparison): readonly string[] {
  const rows = changeGroups(comparison).map(({ title, changes }) => [
    `${title}:`,
    ...columns(
      withReasons(changes).map(({ change: { id, level, first, second }, reason }) => [
        `  ${id}`,
        level,
        verdictText(first),
        '→',
        verdictText(second),
        tame(reason),
      ]),
    ),
    '',
  ]);
  return [
    ...rows.flat(),
    ...comparison.remarks.map((remark) => `· ${tame(remark)}`),
    comparisonSentence(comparison),
  ];
}
