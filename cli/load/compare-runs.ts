import type { Comparison } from '../../load/compare/compare.ts';
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
 * Compares the runs in two folders, the second with the first, and says what is worse.
 * @throws {UserError | ReportError} when the tolerance is none, or a folder holds no run.
 */
export function compareRuns(
  first: string,
  second: string,
  { tolerance, json }: CompareOptions,
  terminal: Terminal,
): ExitCode {
  const compared = compareLoads(readLoadReport(first), readLoadReport(second), share(tolerance));
  if (json === true) print(terminal, JSON.stringify(compared, null, 2));
  else print(terminal, ...comparisonLines(compared));
  return CODES[compared.outcome];
}

const CODES = {
  none: EXIT.conforms,
  regression: EXIT.violates,
  inconclusive: EXIT.incomplete,
} as const satisfies Record<Comparison['outcome'], ExitCode>;

function share(text: string): number {
  const [, percent] = /^(\d{1,4}(?:\.\d{1,3})?) ?%?$/.exec(text) ?? [];
  if (percent !== undefined) return Number(percent) / 100;
  throw new UserError(`--tolerance is "${text}", where a number of percent belongs, for example 10.`);
}

function comparisonLines({ figures, remarks, outcome, tolerance }: Comparison): readonly string[] {
  const rows = figures.map(({ what, a, b, change, because }) => [
    what,
    a,
    b,
    because === '' ? change : `${change}: ${because}`,
  ]);
  const percent = `${Number((tolerance * 100).toFixed(3))} %`;
  const closing = {
    none: `✓ No regression: nothing is worse by more than ${percent}.`,
    regression: `✗ A regression: ${figures
      .filter(({ change }) => change === 'worse')
      .map(({ what }) => what)
      .join(', ')}.`,
    inconclusive: '? Not comparable: nothing is worse, but not everything could be compared.',
  }[outcome];
  return [
    ...columns([['FIGURE', 'FIRST', 'SECOND', 'CHANGE'], ...rows]),
    '',
    ...remarks.map((remark) => `· ${tame(remark)}`),
    closing,
  ];
}
