import type { LoadComparison } from '../../load/compare/compare.ts';
import { compareLoads } from '../../load/compare/compare.ts';
import { readLoadReport, tame } from '../../reports/index.ts';
import { UserError } from '../../words/user-error.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { columns, print } from '../terminal.ts';

/** The options of `load compare`, as commander hands them over. */
export interface CompareOptions {
  /** In percent. */
  readonly tolerance: string;
  readonly json?: boolean;
}

/**
 * Compares the runs in two folders, the second with the first, and prints what is worse.
 * @throws {UserError | ReportError} when the tolerance is invalid, or a folder contains no load run.
 */
export function compareRuns(
  first: string,
  second: string,
  { tolerance, json }: CompareOptions,
  terminal: Terminal,
): ExitCode {
  const compared = compareLoads(readLoadReport(first), readLoadReport(second), parseTolerance(tolerance));
  if (json === true) print(terminal, JSON.stringify(compared, null, 2));
  else print(terminal, ...comparisonLines(compared));
  return EXIT_CODES[compared.outcome];
}

const EXIT_CODES = {
  none: EXIT.conforms,
  regression: EXIT.violates,
  inconclusive: EXIT.incomplete,
} as const satisfies Record<LoadComparison['outcome'], ExitCode>;

/** A share from a percentage: 10 is 0.1. */
function parseTolerance(text: string): number {
  const [, percent] = /^(\d{1,4}(?:\.\d{1,3})?) ?%?$/.exec(text) ?? [];
  if (percent !== undefined) return Number(percent) / 100;
  throw new UserError(`--tolerance takes a percentage such as 10, not "${text}".`);
}

function comparisonLines({ figures, remarks, outcome, tolerance }: LoadComparison): readonly string[] {
  const rows = figures.map(({ figure, first, second, change, because }) => [
    figure,
    first,
    second,
    because === '' ? change : `${change}: ${because}`,
  ]);
  const percent = `${Number((tolerance * 100).toFixed(3))} %`;
  const closing = {
    none: `✓ No regression: no figure is worse by more than ${percent}.`,
    regression: `✗ Regression: ${figures
      .filter(({ change }) => change === 'worse')
      .map(({ figure }) => figure)
      .join(', ')}.`,
    inconclusive: '? Not comparable: no figure is worse, but some could not be compared.',
  }[outcome];
  return [
    ...columns([['FIGURE', 'FIRST', 'SECOND', 'CHANGE'], ...rows]),
    '',
    ...remarks.map((remark) => `· ${tame(remark)}`),
    closing,
  ];
}
