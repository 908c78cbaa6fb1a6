import { UserError } from '../../../kernel/basics/user-error.ts';
import type { LoadComparison } from '../../../load/compare/compare.ts';
import { compareLoads } from '../../../load/compare/compare.ts';
import type { FigureChange } from '../../../load/compare/compared-figure.ts';
import { tame } from '../../../reports/terminal.ts';
import type { ExitCode } from '../exit-code.ts';
import { EXIT } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { columns, print } from '../terminal.ts';
import { readLoadSet } from './load-sets.ts';

/** How much worse a figure may be, unless the user states it; in percent. */
export const DEFAULT_TOLERANCE = '10';

/** The options of `load compare`, as commander hands them over. */
export interface CompareOptions {
  /** In percent. */
  readonly tolerance: string;
  readonly json?: boolean;
}

/**
 * Compares two sets of runs, the second with the first, and prints what is worse.
 * @throws {UserError | ReportError} when the tolerance is invalid, or a folder contains no load run.
 */
export function compareRuns(
  first: string,
  second: string,
  { tolerance, json }: CompareOptions,
  terminal: Terminal,
): ExitCode {
  const compared = compareLoads(readLoadSet(first), readLoadSet(second), parseTolerance(tolerance));
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

function comparisonLines(compared: LoadComparison): readonly string[] {
  const { figures, remarks, runs } = compared;
  const rows = figures.map(({ figure, first, second, change, because }) => [
    figure,
    first,
    second,
    because === '' ? change : `${change}: ${because}`,
  ]);
  const [first, second] = runs.map((count) => (count === 1 ? '' : ` (${count} RUNS)`));
  return [
    ...columns([['FIGURE', `FIRST${first}`, `SECOND${second}`, 'CHANGE'], ...rows]),
    '',
    ...remarks.map((remark) => `· ${tame(remark)}`),
    closingLine(compared),
  ];
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
    case 'none':
      return isSingle
        ? '✓ No verdict is worse.'
        : `✓ No regression: no figure is worse by more than ${percent} and what noise explains.`;
    case 'regression':
      return isSingle
        ? `✗ Regression: ${named('worse')}.`
        : `✗ Regression: ${named('worse')}. Sets of equal runs differ as much in at most ${falseAlarmRate * 100} of 100 comparisons.`;
    case 'inconclusive':
      return `? Not decided: ${named('undecided', 'inconclusive')}. No other figure is worse.`;
  }
}
